import type { Page } from './fetch-page.ts'

/** The page as text for a model: HTML as Markdown, JSON and text as they are; undefined for what is no text. */
export async function pageText(page: Pick<Page, 'body' | 'contentType'>): Promise<string | undefined> {
  const [type = '', ...parameters] = page.contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const isHtml =
    type.includes('html') || (type === '' && /^\s*<(?:!doctype|html)/i.test(page.body.toString('latin1', 0, 200)))
  if (!isHtml && !isText(type) && !(type === '' && !page.body.includes(0))) return undefined
  const text = decode(page.body, parameters, isHtml)
  return isHtml ? (await import('./html-to-markdown.ts')).htmlToMarkdown(text) : text
}

function isText(type: string): boolean {
  return (
    type.startsWith('text/') || /^application\/(?:.*\+)?(?:json|xml|javascript|yaml|x-yaml|toml|ndjson)$/.test(type)
  )
}

function decode(body: Buffer, parameters: readonly string[], isHtml: boolean): string {
  const declared = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length)
  const inPage = isHtml ? /<meta[^>]+charset=["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2_048))?.[1] : undefined
  try {
    return new TextDecoder(declared?.replaceAll('"', '') ?? inPage ?? 'utf-8').decode(body)
  } catch {
    // An unknown name of an encoding: most pages are UTF-8.
    return new TextDecoder().decode(body)
  }
}
