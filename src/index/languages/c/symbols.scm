(function_definition declarator: [
  (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))])]
  body: (_) @body) @symbol.function

; Prototypes.
(declaration declarator: [
  (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))])
  (attributed_declarator (function_declarator declarator: (identifier) @name))]) @symbol.function

; Variables.
(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)])
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)])
    (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @symbol.variable

(struct_specifier name: (type_identifier) @name body: (_) @body) @symbol.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.enum
(enumerator name: (identifier) @name) @symbol.enum-member

; typedef struct { ... } name: the name is the struct's.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition declarator: [
  (type_identifier) @name
  (primitive_type) @name
  (pointer_declarator declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)])
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: [(type_identifier) @name
    (parenthesized_declarator [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)])])
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
]) @symbol.type

(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))])
  (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (field_identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @symbol.property

(preproc_def name: (identifier) @name) @symbol.macro
(preproc_function_def name: (identifier) @name) @symbol.macro

(comment) @comment
[(if_statement) (for_statement) (while_statement) (do_statement) (switch_statement)] @nest
(else_clause (if_statement) @nest.same)
