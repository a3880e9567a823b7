(identifier) @use
(type_identifier) @use.type
(shorthand_field_identifier) @use
(call_expression function: (identifier) @use.call)
(call_expression function: (generic_function function: (identifier) @use.call))
(macro_invocation macro: (identifier) @use.call)
(field_expression value: (_) @receiver field: (field_identifier) @member)
(call_expression function: (field_expression field: (field_identifier) @member.call))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @member.call)))
(scoped_identifier path: [(identifier) (type_identifier) (self) (super) (crate) (metavariable)] @receiver name: (identifier) @member)
(scoped_identifier path: (generic_type type: (type_identifier) @receiver) name: (identifier) @member)
(scoped_identifier path: (scoped_identifier) @receiver name: (identifier) @member)
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @member.type)
(call_expression function: (scoped_identifier name: (identifier) @member.call))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @member.call)))
(macro_invocation macro: (scoped_identifier name: (identifier) @member.call))
(field_initializer field: (field_identifier) @member)
(assignment_expression left: (identifier) @use.write)
(assignment_expression left: (field_expression field: (field_identifier) @member.write))
(compound_assignment_expr left: (identifier) @use.write)
(compound_assignment_expr left: (field_expression field: (field_identifier) @member.write))
(lifetime (identifier) @ignore)

[(function_item) (function_signature_item) (closure_expression) (block) (match_arm) (for_expression) (if_expression)
 (while_expression) (impl_item) (struct_item) (enum_item) (trait_item) (type_item) (macro_definition)] @scope
(parameter pattern: (identifier) @local type: [
  (type_identifier) @local.type
  (reference_type type: [(type_identifier) (scoped_type_identifier)] @local.type)
  (scoped_type_identifier) @local.type])
(parameter pattern: (identifier) @local)
(parameter pattern: (mut_pattern (identifier) @local))
(parameter pattern: (tuple_pattern (identifier) @local))
(closure_parameters (identifier) @local)
(closure_parameters (tuple_pattern (identifier) @local))
(let_declaration pattern: (identifier) @local type: (type_identifier) @local.type) @after
(let_declaration pattern: (identifier) @local value: (struct_expression name: (type_identifier) @local.type)) @after
(let_declaration pattern: [(identifier) @local (mut_pattern (identifier) @local)]
  value: (call_expression function: [(identifier) (scoped_identifier) (field_expression)] @local.call)) @after
(let_declaration pattern: (identifier) @local) @after
(let_declaration pattern: (mut_pattern (identifier) @local)) @after
(let_declaration pattern: (tuple_pattern (identifier) @local)) @after
(let_declaration pattern: (tuple_pattern (mut_pattern (identifier) @local))) @after
(for_expression pattern: (identifier) @local)
(for_expression pattern: (tuple_pattern (identifier) @local))
(tuple_struct_pattern type: (_) (identifier) @local)
(tuple_struct_pattern type: (_) (ref_pattern (identifier) @local))
(tuple_struct_pattern type: (_) (mut_pattern (identifier) @local))
(tuple_struct_pattern type: (_) (tuple_pattern (identifier) @local))
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(captured_pattern . (identifier) @local)
(type_parameter name: (type_identifier) @local)
