// A terminal gives the path of a file that is dropped on it, or copied in a file manager, as a paste. That of an image becomes
// a mention, so that the image goes with the message; any other paste stays as it is.
import type { Controller } from './controller.ts'
import type { Editor } from './editor.ts'

const IMAGE_PATH = /^(?:\/|~\/).+\.(?:png|jpe?g|gif|webp)$/i

/** The image a pasted text is the path of, in any of the ways terminals write one; undefined for any other text. */
export function pastedImage(pasted: string): string | undefined {
  const text = pasted.trim()
  if (text.includes('\n')) return undefined
  const path = plainPath(text)
  return path !== undefined && IMAGE_PATH.test(path) ? path : undefined
}

/** Quoted, as an address, or with backslashes before what a shell would read. */
function plainPath(text: string): string | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2]
  if (quoted !== undefined) return quoted
  if (!text.startsWith('file:///')) return text.replaceAll(/\\(.)/g, '$1')
  try {
    return decodeURIComponent(text.slice('file://'.length))
  } catch {
    return undefined
  }
}

/** How a message names a file; inside of the project from its root. Undefined for a path that cannot be named. */
export function mentionOf(path: string, root: string): string | undefined {
  const short = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  if (short.includes('"')) return undefined
  return /[\s'()[\]:]|[.,;!?]$/.test(short) ? `@"${short}"` : `@${short}`
}

/** Turns what was just pasted before the cursor of `editor` into a mention when it is the path of an image that is there. */
export async function mentionPasted(controller: Controller, pasted: string, editor: Editor): Promise<void> {
  const { bench } = controller
  const path = pastedImage(pasted)
  const from = editor.cursor - pasted.length
  // Inside a word an @ is none.
  if (!bench || path === undefined || /\S$/.test(editor.text.slice(0, from))) return
  const mention = mentionOf(path, bench.project.root)
  if (mention === undefined || !(await bench.isFile(path))) return
  const now = controller.ui.editor
  if (now.text.slice(from, editor.cursor) !== pasted) return
  const piece = `${mention} `
  const text = now.text.slice(0, from) + piece + now.text.slice(editor.cursor)
  controller.setEditor({ ...now, text, cursor: now.cursor + piece.length - pasted.length })
  controller.drawNow()
}
