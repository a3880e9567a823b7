import type { ToolResult } from '../protocol/index.ts'

/** Text of a result as the model reads it. Failures lead with their code, so that a model can tell them from content. */
export function resultText(result: ToolResult): string {
  if (result.status === 'success') return result.text
  const head = result.code ?? result.status.toUpperCase()
  return `[${head}] ${result.text}`
}
