// What the tables say of a file. Apart from what reads files, so that a program that only asks loads nothing of that.

/** What became of a file; its number is what tables and messages hold. */
export const FILE_STATE = {
  /** Was there once. */
  gone: 0,
  /** Known, not read yet. */
  pending: 1,
  /** Read and parsed, perhaps with errors. */
  parsed: 2,
  /** Text without a parser, or too large or slow for it. */
  text: 3,
  /** By extension or by a NUL among its first bytes. */
  binary: 4,
  notUtf8: 5,
  symlink: 6,
  /** Could not be opened. */
  unreadable: 7,
} as const

export const HASH_BYTES = 32
/** Larger ones are only known by size: reading them whole would break the memory cap. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024
