// YAML outside of the configuration's own reader and editor, which keep comments and positions.
import { parseAllDocuments, stringify } from 'yaml'

/** The value as a YAML text; long strings stay on one line. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0 })
}

/**
 * The first syntax error of a text of one or several documents, with its 0-based offset in characters. What is nested too deep
 * for the library is not an error of the text.
 */
export function firstYamlError(text: string): { offset: number; message: string } | undefined {
  const documents = parseAllDocuments(text, { prettyErrors: false })
  const error = documents.flatMap(({ errors }) => errors).find(({ code }) => code !== 'RESOURCE_EXHAUSTION')
  return error && { offset: error.pos[0], message: error.message }
}
