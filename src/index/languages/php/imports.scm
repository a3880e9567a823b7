(namespace_use_declaration) @module @import.tree
(require_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))
  (parenthesized_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))])]) @import.wildcard
(require_once_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))
  (parenthesized_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))])]) @import.wildcard
(include_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))
  (parenthesized_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))])]) @import.wildcard
(include_once_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))
  (parenthesized_expression [(string (string_content) @module) (binary_expression right: (string (string_content) @module))])]) @import.wildcard
