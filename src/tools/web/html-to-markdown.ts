// Loaded with the first HTML page: the converter is large.
import TurndownService from 'turndown'

/** Characters of HTML that are turned into Markdown; what follows is hardly what the page is about. */
const HTML_CHARACTERS = 1_500_000
/** Carry nothing to read. */
const NO_TEXT = ['script', 'style', 'noscript', 'template', 'iframe', 'svg', 'canvas', 'form', 'nav', 'footer'] as const

/** The main part of an HTML page as Markdown, under its title; images by their text. */
export function htmlToMarkdown(html: string): string {
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
