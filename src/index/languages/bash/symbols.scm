(function_definition name: (word) @name body: (_) @body) @symbol.function
(variable_assignment name: (variable_name) @name) @symbol.variable
; export, readonly, declare: the whole command is the declaration.
(declaration_command (variable_assignment name: (variable_name) @name)) @wider
((command name: (command_name (word) @_alias) argument: [(concatenation . (word) @name) (word) @name]) @symbol.function
 (#eq? @_alias "alias") (#match? @name "="))

(comment) @comment
[(if_statement) (for_statement) (c_style_for_statement) (while_statement) (case_statement)] @nest
