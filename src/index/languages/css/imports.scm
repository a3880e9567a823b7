(import_statement [(string_value) @module
  (call_expression (arguments [(string_value) @module (plain_value) @module]))]) @import.wildcard
((call_expression (function_name) @_url (arguments [(string_value) @module (plain_value) @module])) @import.sideEffect
 (#eq? @_url "url") (#not-match? @module "^['\"]?(#|[a-zA-Z][a-zA-Z0-9+.-]*:|//)"))
