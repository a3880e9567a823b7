(([(start_tag (tag_name) @_tag (attribute (attribute_name) @_name [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
   (self_closing_tag (tag_name) @_tag (attribute (attribute_name) @_name [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))]) @import.sideEffect
 (#any-of? @_name "src" "href" "data" "action" "poster") (#not-match? @module "^(#|[a-zA-Z][a-zA-Z0-9+.-]*:|//)"))
