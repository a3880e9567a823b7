(variable_name) @use
(command name: (command_name (word) @use.call))
(function_definition name: (word) @use)
(variable_assignment name: (variable_name) @use.write)

(function_definition) @scope
((declaration_command (variable_assignment name: (variable_name) @local)) @_local (#match? @_local "^(local|declare|typeset)\\s"))
((declaration_command (variable_name) @local) @_local (#match? @_local "^(local|declare|typeset)\\s"))
