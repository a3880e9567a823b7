/** Raised when a key changes its meaning; unknown keys of a file that names a newer one are warnings, not errors. */
export const CONFIG_VERSION = 1
