(using_directive !name [(identifier) (qualified_name)] @module) @import.wildcard
(using_directive name: (identifier) @local [(qualified_name) (generic_name)] @module) @import.namespace
