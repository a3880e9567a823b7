((call !receiver method: (identifier) @_how arguments: (argument_list . (string (string_content) @module))) @import.sideEffect
 (#any-of? @_how "require" "load"))
((call !receiver method: (identifier) @_how arguments: (argument_list . (string (string_content) @module))) @import.sideEffect
 (#eq? @_how "require_relative") (#set! prefix "./"))
((call method: (identifier) @_how arguments: (argument_list . (simple_symbol) (string (string_content) @module))) @import.sideEffect
 (#eq? @_how "autoload"))
