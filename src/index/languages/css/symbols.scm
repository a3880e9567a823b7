(rule_set (selectors (_) @name) (block) @body) @symbol.selector
(keyframes_statement (keyframes_name) @name) @symbol.selector
; An at-rule is called by all that stands before its block.
((media_statement "@media" @name (block) @body) @symbol.section (#set! name "head"))
((supports_statement "@supports" @name (block) @body) @symbol.section (#set! name "head"))
((at_rule (at_keyword) @name (block) @body) @symbol.section (#set! name "head"))
; Custom properties.
((declaration (property_name) @name) @symbol.variable (#match? @name "^--"))

(comment) @comment
[(media_statement) (supports_statement) (rule_set) (keyframes_statement)] @nest
