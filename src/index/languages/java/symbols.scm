(class_declaration name: (identifier) @name body: (_) @body) @symbol.class
(record_declaration name: (identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(enum_constant name: (identifier) @name) @symbol.enum-member
(method_declaration type: (type_identifier)? @type name: (identifier) @name body: (block)? @body) @symbol.method
(annotation_type_element_declaration name: (identifier) @name) @symbol.method
(constructor_declaration name: (identifier) @name body: (_) @body) @symbol.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @symbol.constructor
(field_declaration type: (type_identifier)? @type declarator: (variable_declarator name: (identifier) @name)) @symbol.property
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @symbol.property))

(superclass [(type_identifier) @extends (generic_type (type_identifier) @extends)])
(super_interfaces (type_list [(type_identifier) @implements (generic_type (type_identifier) @implements)]))
(extends_interfaces (type_list [(type_identifier) @extends (generic_type (type_identifier) @extends)]))

[(line_comment) (block_comment)] @comment
[(if_statement) (for_statement) (enhanced_for_statement) (while_statement) (do_statement) (switch_expression)
 (try_statement) (try_with_resources_statement) (synchronized_statement)] @nest
(if_statement alternative: (if_statement) @nest.same)
