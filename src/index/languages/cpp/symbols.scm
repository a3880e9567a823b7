; Functions, with or without a body, free or members, at any depth of * and &.
(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))])
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
  (function_declarator declarator: (parenthesized_declarator (identifier) @name))]
  body: (_)? @body) @symbol.function
(function_definition declarator: (operator_cast) @name body: (_)? @body) @symbol.function

; Members defined outside their class: A::b, ns::A::b, A<T>::b.
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name) (destructor_name)] @name))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name)] @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name)] @name)))]
  body: (_)? @body) @symbol.method
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name) (destructor_name)] @name)))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name)] @name))))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) @container (template_type name: (_) @container)]
    name: [(identifier) (operator_name)] @name))))]
  body: (_)? @body) @symbol.method

; Prototypes.
(declaration declarator: [
  (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))])
  (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))]) @symbol.function
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))])
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))]) @symbol.method

(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)])
  (reference_declarator (identifier) @name)
  (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)])
    (reference_declarator (identifier) @name)
    (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @symbol.variable

(class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)
  (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @symbol.class
(struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)
  (qualified_identifier name: (type_identifier) @name)] body: (_) @body) @symbol.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.struct
; A class behind a macro that could not be told from a type, and a namespace behind one.
(function_definition type: (class_specifier !body) declarator: (identifier) @name body: (compound_statement) @body) @symbol.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (compound_statement) @body) @symbol.struct
((function_definition declarator: (qualified_identifier scope: (namespace_identifier) @_word name: (identifier) @name)
  body: (compound_statement) @body) @symbol.namespace (#eq? @_word "namespace"))
(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.enum
(enumerator name: (identifier) @name) @symbol.enum-member
(namespace_definition name: (_) @name body: (_) @body) @symbol.namespace
(concept_definition name: (identifier) @name) @symbol.type
(alias_declaration name: (type_identifier) @name) @symbol.type
(namespace_alias_definition name: (namespace_identifier) @name) @symbol.namespace

; typedef struct { ... } name: the name is the struct's.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition declarator: [
  (type_identifier) @name
  (primitive_type) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (reference_declarator (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: [(type_identifier) @name
    (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))])
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
]) @symbol.type

(field_declaration type: (type_identifier)? @type declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)])
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @symbol.property

(preproc_def name: (identifier) @name) @symbol.macro
(preproc_function_def name: (identifier) @name) @symbol.macro

; A template begins at its `template <...>`.
(template_declaration (class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)])) @wider
(template_declaration (struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name)])) @wider
(template_declaration (function_definition declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))) @wider
(template_declaration (function_definition declarator: (function_declarator declarator: (qualified_identifier name: (_) @name)))) @wider
(template_declaration (alias_declaration name: (type_identifier) @name)) @wider
(template_declaration (concept_definition name: (identifier) @name)) @wider

(base_class_clause [(type_identifier) @extends (template_type name: (type_identifier) @extends)
  (qualified_identifier name: (type_identifier) @extends)
  (qualified_identifier name: (template_type name: (type_identifier) @extends))])

(field_declaration_list (access_specifier) @section) @within

(comment) @comment
[(if_statement) (for_statement) (for_range_loop) (while_statement) (do_statement) (switch_statement) (try_statement)] @nest
(else_clause (if_statement) @nest.same)
