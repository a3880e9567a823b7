(identifier) @use
(type_identifier) @use.type
(call_expression function: (identifier) @use.call)
(field_expression argument: (_) @receiver field: (field_identifier) @member)
(call_expression function: (field_expression field: (field_identifier) @member.call))
(field_designator (field_identifier) @member)
(assignment_expression left: (identifier) @use.write)
(assignment_expression left: (field_expression field: (field_identifier) @member.write))
(update_expression argument: (identifier) @use.write)
(preproc_params (identifier) @ignore)

[(function_definition) (compound_statement) (for_statement)] @scope
; The parameters of a prototype are nobody's names.
(declaration declarator: (function_declarator) ) @scope
(type_definition) @scope
(field_declaration) @scope
(parameter_declaration type: [
    (type_identifier) @local.type
    (struct_specifier name: (type_identifier) @local.type)]
  declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
(parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)])
  (array_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
(compound_statement (declaration type: [
    (type_identifier) @local.type
    (struct_specifier name: (type_identifier) @local.type)]
  declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])]))
(compound_statement (declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)])
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)])]))
(for_statement initializer: (declaration declarator: (init_declarator declarator: [
  (identifier) @local (pointer_declarator declarator: (identifier) @local)])))
