(identifier) @use
(type_identifier) @use.type
(namespace_identifier) @use
(call_expression function: (identifier) @use.call)
(call_expression function: (template_function name: (identifier) @use.call))
(field_expression argument: (_) @receiver field: [(field_identifier) @member (template_method name: (field_identifier) @member)])
(call_expression function: (field_expression field: [(field_identifier) @member.call (template_method name: (field_identifier) @member.call)]))
(qualified_identifier scope: [(namespace_identifier) @receiver (template_type name: (_) @receiver)]
  name: [(identifier) @member (template_function name: (identifier) @member)])
(qualified_identifier scope: (namespace_identifier) @receiver
  name: [(type_identifier) @member.type (template_type name: (type_identifier) @member.type)])
(call_expression function: (qualified_identifier name: [(identifier) @member.call (template_function name: (identifier) @member.call)]))
(field_designator (field_identifier) @member)
(field_initializer . (field_identifier) @member.write)
(assignment_expression left: (identifier) @use.write)
(assignment_expression left: (field_expression field: (field_identifier) @member.write))
(update_expression argument: (identifier) @use.write)
(preproc_params (identifier) @ignore)

[(function_definition) (compound_statement) (for_statement) (for_range_loop) (lambda_expression) (catch_clause)
 (template_declaration) (field_declaration) (type_definition)] @scope
(declaration declarator: (function_declarator)) @scope
(parameter_declaration type: [(type_identifier) @local.type (template_type name: (type_identifier) @local.type)]
  declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)])
(parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)])
  (reference_declarator (identifier) @local)
  (array_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
(optional_parameter_declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)])
(type_parameter_declaration (type_identifier) @local)
(optional_type_parameter_declaration name: (type_identifier) @local)
(compound_statement (declaration type: [(type_identifier) @local.type (template_type name: (type_identifier) @local.type)]
  declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
    (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)
      (reference_declarator (identifier) @local)])]))
(compound_statement (declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
    (array_declarator declarator: (identifier) @local)
    (structured_binding_declarator (identifier) @local)])]))
(for_statement initializer: (declaration declarator: (init_declarator declarator: [
  (identifier) @local (pointer_declarator declarator: (identifier) @local)])))
(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)])
(lambda_capture_initializer left: (identifier) @local)
