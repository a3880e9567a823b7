; for="id", href="#id", aria-labelledby="id", class="name".
((attribute (attribute_name) @_name [(attribute_value) @use (quoted_attribute_value (attribute_value) @use)])
 (#any-of? @_name "for" "form" "list" "aria-labelledby" "aria-describedby" "aria-controls" "headers"))
