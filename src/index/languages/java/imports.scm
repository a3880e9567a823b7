(import_declaration) @module @import.tree
