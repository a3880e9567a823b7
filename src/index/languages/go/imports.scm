(import_spec !name path: (_) @module) @import.namespace
(import_spec name: (package_identifier) @local path: (_) @module) @import.namespace
(import_spec name: (dot) path: (_) @module) @import.wildcard
(import_spec name: (blank_identifier) path: (_) @module) @import.sideEffect
