(identifier) @use
(type_identifier) @use.type
(call_expression function: (identifier) @use.call)
(selector_expression operand: (_) @receiver field: (field_identifier) @member)
(call_expression function: (selector_expression field: (field_identifier) @member.call))
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @member.type)
(qualified_type package: (package_identifier) @use)
(literal_value (keyed_element . (literal_element (identifier) @member)))
(assignment_statement left: (expression_list (identifier) @use.write))
(assignment_statement left: (expression_list (selector_expression field: (field_identifier) @member.write)))

(function_declaration) @scope
(method_declaration) @scope
(func_literal) @scope
(block) @scope
(if_statement) @scope
(for_statement) @scope
(expression_switch_statement) @scope
(type_switch_statement) @scope
(expression_case) @scope
(type_case) @scope
(default_case) @scope
(communication_case) @scope
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @local.self)))
(parameter_declaration name: (identifier) @local type: [
  (type_identifier) @local.type (qualified_type) @local.type
  (generic_type type: [(type_identifier) (qualified_type)] @local.type)
  (pointer_type [(type_identifier) @local.type (qualified_type) @local.type (generic_type type: (type_identifier) @local.type)])])
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . [
  (composite_literal type: [(type_identifier) (qualified_type)] @local.type)
  (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @local.type))
  (call_expression function: [(identifier) (selector_expression)] @local.call)])) @after
(var_spec . (identifier) @local type: [(type_identifier) @local.type (qualified_type) @local.type
  (pointer_type [(type_identifier) (qualified_type)] @local.type)]) @after
(short_var_declaration left: (expression_list (identifier) @local)) @after
(range_clause left: (expression_list (identifier) @local)) @after
(receive_statement left: (expression_list (identifier) @local)) @after
(type_switch_statement alias: (expression_list (identifier) @local))
(var_spec name: (identifier) @local) @after
(const_spec (identifier) @local) @after
(type_spec name: (type_identifier) @local)
