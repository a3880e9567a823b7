(function_item name: (identifier) @name return_type: [
    (type_identifier) @type (scoped_type_identifier) @type
    (generic_type type: (type_identifier) @type)
    (reference_type type: [(type_identifier) @type (generic_type type: (type_identifier) @type)])]?
  body: (block) @body) @symbol.function
(function_signature_item name: (identifier) @name) @symbol.function
(struct_item name: (type_identifier) @name body: (_)? @body) @symbol.struct
(union_item name: (type_identifier) @name body: (_) @body) @symbol.struct
(enum_item name: (type_identifier) @name body: (_) @body) @symbol.enum
(enum_variant name: (identifier) @name) @symbol.enum-member
(field_declaration name: (field_identifier) @name type: (type_identifier)? @type) @symbol.property
(trait_item name: (type_identifier) @name body: (_) @body) @symbol.trait
(associated_type name: (type_identifier) @name) @symbol.type
(type_item name: (type_identifier) @name) @symbol.type
(const_item name: (identifier) @name) @symbol.constant
(static_item name: (identifier) @name) @symbol.variable
(mod_item name: (identifier) @name body: (declaration_list) @body) @symbol.module
(macro_definition name: (identifier) @name) @symbol.macro

(impl_item trait: [
    (type_identifier) @implements
    (generic_type type: (type_identifier) @implements)
    (scoped_type_identifier name: (type_identifier) @implements)]?
  type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  (scoped_type_identifier name: (type_identifier) @name)
  (reference_type type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])
  (primitive_type) @name]) @owner
(trait_item bounds: (trait_bounds [
  (type_identifier) @extends
  (generic_type type: (type_identifier) @extends)
  (scoped_type_identifier name: (type_identifier) @extends)]))

(attribute_item) @attribute
[(line_comment) (block_comment)] @comment
[(if_expression) (for_expression) (while_expression) (loop_expression) (match_expression)] @nest
(else_clause (if_expression) @nest.same)
