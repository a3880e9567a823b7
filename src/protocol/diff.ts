import { z } from 'zod'

/** One line of a hunk. `marks` are [start, end) character ranges that differ from the paired line (word level). */
export const diffLineSchema = z.object({
  kind: z.enum(['same', 'add', 'remove']),
  text: z.string(),
  marks: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
  /** True on the last line of a file that does not end with a line break. */
  noNewline: z.boolean().optional(),
})
export type DiffLine = z.infer<typeof diffLineSchema>

/** A run of changed lines with its context. Starts are 1-based, lengths in lines. */
export const diffHunkSchema = z.object({
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  lines: z.array(diffLineSchema),
})
export type DiffHunk = z.infer<typeof diffHunkSchema>

/** A change of one file as plain data: every front draws unified and side-by-side views from it. */
export const fileDiffSchema = z.object({
  path: z.string(),
  change: z.enum(['created', 'modified', 'deleted']),
  added: z.number().int(),
  removed: z.number().int(),
  hunks: z.array(diffHunkSchema),
  /** One line: what the change is for, or what is odd about it. */
  note: z.string().optional(),
})
export type FileDiff = z.infer<typeof fileDiffSchema>
