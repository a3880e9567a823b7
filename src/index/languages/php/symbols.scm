((namespace_definition name: (namespace_name) @name !body) @symbol.namespace (#set! rest "file"))
(namespace_definition name: (namespace_name) @name body: (_) @body) @symbol.namespace
(class_declaration name: (name) @name body: (_) @body) @symbol.class
(interface_declaration name: (name) @name body: (_) @body) @symbol.interface
(trait_declaration name: (name) @name body: (_) @body) @symbol.trait
(enum_declaration name: (name) @name body: (_) @body) @symbol.enum
(enum_case name: (name) @name) @symbol.enum-member
(method_declaration name: (name) @name return_type: (named_type (name) @type)? body: (_)? @body) @symbol.method
(function_definition name: (name) @name body: (_) @body) @symbol.function
(property_declaration type: (named_type (name) @type)? (property_element name: (variable_name (name) @name))) @symbol.property
((property_promotion_parameter type: (named_type (name) @type)? name: (variable_name (name) @name)) @symbol.property
 (#set! lift "class"))
(const_declaration (const_element . (name) @name)) @symbol.constant
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))) @symbol.constant
 (#eq? @_define "define"))

(base_clause [(name) @extends (qualified_name (name) @extends .)])
(class_interface_clause [(name) @implements (qualified_name (name) @implements .)])
(declaration_list (use_declaration [(name) @extends (qualified_name (name) @extends .)]))

(comment) @comment
(attribute_list) @attribute
[(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (switch_statement) (try_statement)
 (match_expression)] @nest
(else_clause (if_statement) @nest.same)
