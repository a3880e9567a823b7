(namespace_declaration name: (_) @name body: (_) @body) @symbol.namespace
((file_scoped_namespace_declaration name: (_) @name) @symbol.namespace (#set! rest "file"))
(class_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(record_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(struct_declaration name: (identifier) @name body: (_)? @body) @symbol.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @symbol.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @symbol.enum
(enum_member_declaration name: (identifier) @name) @symbol.enum-member
(delegate_declaration name: (identifier) @name) @symbol.type
(method_declaration returns: (identifier)? @type name: (identifier) @name body: (_)? @body) @symbol.method
(local_function_statement name: (identifier) @name body: (_)? @body) @symbol.function
(constructor_declaration name: (identifier) @name body: (_)? @body) @symbol.constructor
(destructor_declaration name: (identifier) @name body: (_)? @body) @symbol.method
(operator_declaration operator: _ @name body: (_)? @body) @symbol.method
(property_declaration type: (identifier)? @type name: (identifier) @name accessors: (_)? @body) @symbol.property
(event_declaration name: (identifier) @name) @symbol.property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.property
(field_declaration (variable_declaration type: (identifier)? @type (variable_declarator name: (identifier) @name))) @symbol.property
(record_declaration (parameter_list (parameter name: (identifier) @name) @symbol.property))

; Interfaces are told from classes by the custom of their names.
((base_list [(identifier) @implements (generic_name . (identifier) @implements) (qualified_name name: (identifier) @implements)])
 (#match? @implements "^I[A-Z]"))
((base_list [(identifier) @extends (generic_name . (identifier) @extends) (qualified_name name: (identifier) @extends)])
 (#not-match? @extends "^I[A-Z]"))

(comment) @comment
[(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (switch_statement) (try_statement)
 (using_statement) (lock_statement) (switch_expression)] @nest
(if_statement alternative: (if_statement) @nest.same)
