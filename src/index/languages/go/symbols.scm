(function_declaration name: (identifier) @name
  result: [
    (type_identifier) @type (qualified_type) @type
    (generic_type type: (type_identifier) @type)
    (pointer_type [(type_identifier) @type (qualified_type) @type (generic_type type: (type_identifier) @type)])
    (parameter_list . (parameter_declaration type: [
      (type_identifier) @type (qualified_type) @type
      (pointer_type [(type_identifier) @type (qualified_type) @type (generic_type type: (type_identifier) @type)])]))]?
  body: (block)? @body) @symbol.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (pointer_type [(type_identifier) @container (generic_type type: (type_identifier) @container)])]))
  name: (field_identifier) @name
  result: [
    (type_identifier) @type (qualified_type) @type
    (generic_type type: (type_identifier) @type)
    (pointer_type [(type_identifier) @type (qualified_type) @type (generic_type type: (type_identifier) @type)])
    (parameter_list . (parameter_declaration type: [
      (type_identifier) @type (qualified_type) @type
      (pointer_type [(type_identifier) @type (qualified_type) @type (generic_type type: (type_identifier) @type)])]))]?
  body: (block)? @body) @symbol.method

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @symbol.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @symbol.interface
(type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (generic_type) (pointer_type)
  (array_type) (slice_type) (map_type) (channel_type) (function_type) (parenthesized_type)]) @symbol.type
(type_alias name: (type_identifier) @name) @symbol.type

(field_declaration name: (field_identifier) @name type: [(type_identifier) @type (qualified_type) @type
  (pointer_type [(type_identifier) (qualified_type)] @type)]?) @symbol.property
(method_elem name: (field_identifier) @name result: [(type_identifier) @type (qualified_type) @type
  (pointer_type [(type_identifier) (qualified_type)] @type)]?) @symbol.method
(const_spec (identifier) @name) @symbol.constant
(var_spec name: (identifier) @name) @symbol.variable

; Embedding.
(struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @extends (qualified_type name: (type_identifier) @extends)
  (generic_type type: (type_identifier) @extends)])))
(interface_type (type_elem . [(type_identifier) @extends (qualified_type name: (type_identifier) @extends)] .))

[(if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)] @nest
(if_statement alternative: (if_statement) @nest.same)
(comment) @comment

; Outside parentheses a declaration begins at its keyword.
((type_declaration [(type_spec name: (_) @name) (type_alias name: (_) @name)]) @wider (#not-match? @wider "^type\\s*\\("))
((const_declaration (const_spec (identifier) @name)) @wider (#not-match? @wider "^const\\s*\\("))
((var_declaration (var_spec (identifier) @name)) @wider (#not-match? @wider "^var\\s*\\("))
