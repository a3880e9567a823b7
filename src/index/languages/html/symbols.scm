; Headings; a level says where their sections end.
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h1" "H1") (#set! level 1))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h2" "H2") (#set! level 2))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h3" "H3") (#set! level 3))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h4" "H4") (#set! level 4))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h5" "H5") (#set! level 5))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "h6" "H6") (#set! level 6))
((element (start_tag (tag_name) @_tag)) @name @symbol.section (#any-of? @_tag "title" "TITLE"))

; Elements with an id.
((element [(start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  (self_closing_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))]) @symbol.element
 (#any-of? @_id "id" "ID"))
(([(script_element (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])))
  (style_element (start_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])))]) @symbol.element
 (#any-of? @_id "id" "ID"))

; Landmarks, and elements of one's own.
((element (start_tag (tag_name) @name)) @symbol.element
 (#any-of? @name "main" "nav" "header" "footer" "aside" "section" "article" "form" "dialog" "template"))
((element [(start_tag (tag_name) @name) (self_closing_tag (tag_name) @name)]) @symbol.element (#match? @name "^[a-z][a-z0-9]*-"))

(comment) @comment
