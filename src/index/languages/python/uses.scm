(identifier) @use
(call function: (identifier) @use.call)
(attribute object: (_) @receiver attribute: (identifier) @member)
(call function: (attribute attribute: (identifier) @member.call))
(assignment left: (attribute attribute: (identifier) @member.write))
(type (identifier) @use.type)
(keyword_argument name: (identifier) @ignore)

(function_definition) @scope
(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(typed_parameter . (identifier) @local type: (type [(identifier) @local.type (attribute) @local.type (string (string_content) @local.type)]))
(typed_default_parameter name: (identifier) @local type: (type [(identifier) @local.type (attribute) @local.type (string (string_content) @local.type)]))
(assignment left: (identifier) @local type: (type [(identifier) (attribute)] @local.type))
(assignment left: (identifier) @local right: (call function: [(identifier) (attribute)] @local.call))
(assignment left: (identifier) @local right: (await (call function: [(identifier) (attribute)] @local.call)))
(with_item value: (as_pattern (call function: [(identifier) (attribute)] @local.call) alias: (as_pattern_target (identifier) @local)))
(parameters [(identifier) @local
  (default_parameter name: (identifier) @local)
  (typed_parameter . (identifier) @local)
  (typed_default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
  (typed_parameter [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])])
(lambda_parameters [(identifier) @local
  (default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)])
(assignment left: [(identifier) @local
  (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(augmented_assignment left: (identifier) @use.write)
(for_statement left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(for_in_clause left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(named_expression name: (identifier) @local)
(as_pattern_target (identifier) @local)
(global_statement (identifier) @global)
