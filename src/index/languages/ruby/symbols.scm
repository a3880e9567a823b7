(class name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @symbol.class
(module name: [(constant) @name (scope_resolution name: (constant) @name)] body: (_)? @body) @symbol.module
(method name: (_) @name body: (_)? @body) @symbol.function
((singleton_method name: (_) @name body: (_)? @body) @symbol.method)
; A class or module made by a call with a block.
((assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new block: (_) @body)) @symbol.class
 (#any-of? @_class "Class" "Struct" "Data") (#any-of? @_new "new" "define"))
((assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new)) @symbol.class
 (#any-of? @_class "Class" "Struct" "Data") (#any-of? @_new "new" "define"))
(assignment left: (constant) @name) @symbol.constant
((call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)) @symbol.property
 (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer"))
(alias name: (_) @name) @symbol.function
((call method: (identifier) @_alias arguments: (argument_list . [(simple_symbol) (string (string_content))] @name)) @symbol.function
 (#any-of? @_alias "alias_method" "define_method"))

; `private def x` begins at its modifier.
((call method: (identifier) @_how arguments: (argument_list (method name: (_) @name))) @wider
 (#any-of? @_how "private" "protected" "public" "private_class_method" "module_function"))
((body_statement [(identifier) @section (call !receiver method: (identifier) @section !arguments)]) @within
 (#any-of? @section "private" "protected" "public"))

(class superclass: (superclass [(constant) @extends (scope_resolution name: (constant) @extends)]))
((call method: (identifier) @_mix arguments: (argument_list [(constant) @implements (scope_resolution name: (constant) @implements)]))
 (#any-of? @_mix "include" "prepend" "extend"))

(comment) @comment
[(if) (unless) (while) (until) (for) (case) (case_match) (begin)] @nest
