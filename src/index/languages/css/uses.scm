((call_expression (function_name) @_var (arguments . (plain_value) @use)) (#eq? @_var "var"))
((declaration (property_name) @_name (plain_value) @use) (#any-of? @_name "animation" "animation-name"))
