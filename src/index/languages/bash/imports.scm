((command name: (command_name (word) @_how) . argument: [
  (word) @module
  (raw_string) @module
  (string . (string_content) @module .)
  (string (_) (string_content) @module .)
  (concatenation (word) @module .)
  (concatenation (string (string_content) @module .) .)]) @import.wildcard
 (#any-of? @_how "source" "."))
