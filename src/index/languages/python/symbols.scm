; A decorated definition begins at its first decorator.
(function_definition name: (identifier) @name
  return_type: (type [(identifier) @type (attribute) @type (string (string_content) @type)])? body: (_) @body) @symbol.function
(class_definition name: (identifier) @name body: (_) @body) @symbol.class
(decorated_definition definition: (_ name: (identifier) @name)) @wider

; What is left of a definition that does not parse.
(ERROR "def" . (identifier) @name) @symbol.function
(ERROR "class" . (identifier) @name) @symbol.class

(assignment left: (identifier) @name right: (lambda body: (_) @body)) @symbol.function
(assignment left: (identifier) @name type: (type [(identifier) (attribute)] @type)) @symbol.variable
(assignment left: (identifier) @name right: (call function: [(identifier) (attribute)] @type.call)) @symbol.variable
(assignment left: (identifier) @name) @symbol.variable
(assignment left: (pattern_list (identifier) @name)) @symbol.variable
(assignment left: (tuple_pattern (identifier) @name)) @symbol.variable
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @symbol.type

; Attributes set on self belong to the class, not to the method.
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type [(identifier) (attribute)] @type)) @symbol.property
 (#eq? @_self "self") (#set! lift "class"))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  right: (call function: [(identifier) (attribute)] @type.call)) @symbol.property
 (#eq? @_self "self") (#set! lift "class"))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @symbol.property
 (#eq? @_self "self") (#set! lift "class"))

(class_definition superclasses: (argument_list [(identifier) @extends (attribute attribute: (identifier) @extends)]))

; Docstrings.
(module . (comment)* . (expression_statement (string) @doc.file))
(class_definition body: (block . (expression_statement (string) @doc)))
(function_definition body: (block . (expression_statement (string) @doc)))

[(if_statement) (for_statement) (while_statement) (with_statement) (try_statement) (match_statement)] @nest
(comment) @comment
