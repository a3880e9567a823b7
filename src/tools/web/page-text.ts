import type { Page } from './fetch-page.ts'

/** Characters of HTML that are turned into Markdown; what follows is hardly what the page is about. */
const HTML_CHARACTERS = 1_500_000
/** Carry nothing to read. */
const NO_TEXT = ['script', 'style', 'noscript', 'template', 'iframe', 'svg', 'canvas', 'form', 'nav', 'footer'] as const

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
  return isHtml ? await markdown(text) : text
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

async function markdown(html: string): Promise<string> {
  const { default: TurndownService } = await import('turndown')
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  service.remove([...NO_TEXT] as Parameters<typeof service.remove>[0])
  service.addRule('images', { filter: 'img', replacement: (_content, node) => altText(node) })
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim()
  const body = service
    .turndown(mainPart(html.slice(0, HTML_CHARACTERS)))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return title === undefined || title === '' || body.startsWith(`# ${title}`) ? body : `# ${title}\n\n${body}`
}

/** The part the page itself calls its content, when there is exactly one. */
function mainPart(html: string): string {
  const found = [...html.matchAll(/<main\b[^]*?<\/main\s*>|<article\b[^]*?<\/article\s*>/gi)]
  return found.length === 1 && found[0]![0].length > 500 ? found[0]![0] : html.replace(/<head\b[^]*?<\/head\s*>/i, '')
}

function altText(node: unknown): string {
  const alt = (node as { getAttribute?(name: string): string | null }).getAttribute?.('alt') ?? ''
  return alt === '' ? '' : `[image: ${alt}]`
}
