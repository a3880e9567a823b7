[(identifier) (constant)] @use
(call !receiver method: [(identifier) (constant)] @use.call)
(call receiver: (_) @receiver method: [(identifier) (constant)] @member.call)
(scope_resolution scope: (_) @receiver name: (constant) @member)
(assignment left: (call receiver: (_) @receiver method: (identifier) @member.write))
(superclass (constant) @use.type)
(class_variable) @use

[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(method_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)
  (splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local)
  (block_parameter name: (identifier) @local)])
(block_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)
  (splat_parameter name: (identifier) @local) (block_parameter name: (identifier) @local)
  (destructured_parameter (identifier) @local)])
(lambda_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)])
((assignment left: (identifier) @local right: (call receiver: (constant) @local.type method: (identifier) @_new)) (#eq? @_new "new"))
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
