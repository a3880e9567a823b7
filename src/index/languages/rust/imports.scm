(use_declaration argument: (_) @module) @import.tree
(extern_crate_declaration name: (identifier) @module !alias) @import.namespace
(extern_crate_declaration name: (identifier) @module alias: (identifier) @local) @import.namespace
; A module in a file of its own.
(mod_item name: (identifier) @module !body) @import.namespace

; In a module within the file, `super` is the file itself.
((mod_item body: (declaration_list (use_declaration argument: (_) @_path) @skip)) (#match? @_path "^super::"))
