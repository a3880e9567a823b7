import type { ToolResult } from '../protocol/index.ts'
import { fail, type ToolContext } from './tool.ts'

/** The texts of a write with placeholders turned into the secrets the file holds; a failure when it holds them not. */
export function reveal(
  texts: readonly string[],
  fileText: string | null,
  { secrets }: ToolContext,
): string[] | ToolResult {
  if (!secrets) return [...texts]
  const revealed: string[] = []
  for (const text of texts) {
    const turned = secrets.unmask(text, fileText)
    if (!turned.ok) return fail('SECRET', `${turned.message} Nothing was changed.`)
    revealed.push(turned.text)
  }
  return revealed
}
