/** Fewer changed files than this are not worth writing everything at the end: the next start reads them again. */
export const SAVE_FILES = 25
/** So many folders that had changed shortly before the last start, and stand now, are worth it too. */
export const SAVE_FOLDERS = 100
/** Number of files that raises a warning where none was configured. */
export const MAX_FILES_WARNING = 10_000
/** Times a query is asked again because a file of its answer had changed. */
export const MAX_RETRIES = 3
