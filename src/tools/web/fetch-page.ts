// Fetches one page. Promises: no connection is made before its host and the address it will go to were both judged; each
// redirect is judged again; no address that holds a secret is looked up; what is read is bounded in bytes, decoded size and hops. Sends no cookies and no credentials.
import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Bytes of a page after decoding; a larger one is cut there. */
export const MOST_BYTES = 4 * 1024 * 1024
const MOST_REDIRECTS = 5

export interface Page {
  ok: true
  /** Where the last redirect led. */
  url: string
  status: number
  contentType: string
  body: Buffer
  /** True when the page is longer than MOST_BYTES. */
  cut: boolean
}

export type PageFault = { ok: false; kind: 'refused' | 'failed' | 'secret'; reason: string }

/** Judges a host before it is looked up, and again with the addresses its name led to; the reason is for the model. */
export type AllowHost = (
  url: URL,
  addresses?: readonly string[],
) => Promise<{ ok: true } | { ok: false; reason: string }>

/**
 * @param holdsSecret whether a text has a secret in it: asked of every address before its name is looked up
 */
export async function fetchPage(
  address: string,
  allowHost: AllowHost,
  signal: AbortSignal,
  holdsSecret: (text: string) => boolean = () => false,
): Promise<Page | PageFault> {
  const leaks = (text: string, url: URL | string): boolean =>
    holdsSecret(text) ||
    (typeof url !== 'string' && (holdsSecret(url.href) || holdsSecret(domainToUnicode(url.hostname))))
  let url = parseUrl(address)
  if (leaks(address, url)) return leak('The address')
  for (let hop = 0; ; hop++) {
    if (typeof url === 'string') return { ok: false, kind: 'failed', reason: url }
    const judged = await judge(url, allowHost)
    if (!('address' in judged)) return judged
    let response: IncomingMessage
    try {
      response = await request(url, judged, signal)
    } catch (error) {
      return { ok: false, kind: 'failed', reason: `${url.host} could not be reached: ${reasonOf(error)}` }
    }
    const { statusCode: status = 0, headers } = response
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy()
      if (hop === MOST_REDIRECTS)
        return { ok: false, kind: 'failed', reason: `${address} redirects more than ${MOST_REDIRECTS} times.` }
      const from = url.host
      url = parseUrl(headers.location, url)
      if (leaks(headers.location, url)) return leak(`The address that ${from} redirects to`)
      continue
    }
    try {
      const { body, cut } = await readBody(response)
      return { ok: true, url: url.href, status, contentType: headers['content-type'] ?? '', body, cut }
    } catch (error) {
      return { ok: false, kind: 'failed', reason: `${url.href} broke off: ${reasonOf(error)}` }
    }
  }
}

function leak(what: string): PageFault {
  const reason = `${what} holds the value of a secret of this workspace, its environment or a backend, as it is, encoded or in pieces. It is not sent.`
  return { ok: false, kind: 'secret', reason }
}

function parseUrl(text: string, base?: URL): URL | string {
  const whole = base || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
  const url = URL.parse(whole, base?.href)
  if (!url) return `${JSON.stringify(text)} is no URL. Give one like https://example.org/page.`
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `${url.protocol} is not fetched, only http: and https:.`
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

interface Judged {
  address: string
  family: number
}

async function judge(url: URL, allowHost: AllowHost): Promise<Judged | PageFault> {
  const byName = await allowHost(url)
  if (!byName.ok) return { ok: false, kind: 'refused', reason: byName.reason }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(host)
  if (literal !== 0) return { address: host, family: literal }
  let found: Judged[]
  try {
    found = await lookup(host, { all: true })
  } catch (error) {
    return { ok: false, kind: 'failed', reason: `The name ${host} could not be resolved: ${reasonOf(error)}` }
  }
  const byAddress = await allowHost(
    url,
    found.map((each) => each.address),
  )
  if (!byAddress.ok) return { ok: false, kind: 'refused', reason: byAddress.reason }
  return found[0]!
}

/** Connects to the address that was judged: a second look-up could give another. */
async function request(url: URL, { address, family }: Judged, signal: AbortSignal): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const { request: send } = secure ? await import('node:https') : await import('node:http')
  const options: RequestOptions = {
    method: 'GET',
    signal,
    agent: false,
    headers: {
      'user-agent': 'codehound',
      accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1',
      'accept-encoding': 'gzip, deflate, br',
    },
    lookup: (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
  }
  return await new Promise((resolve, reject) => {
    send(url, options, resolve).once('error', reject).end()
  })
}

async function readBody(response: IncomingMessage): Promise<{ body: Buffer; cut: boolean }> {
  const stream = decoded(response)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) {
      response.destroy()
      break
    }
  }
  return { body: Buffer.concat(chunks).subarray(0, MOST_BYTES), cut: size > MOST_BYTES }
}

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase()
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined
  if (!decoder) return response
  response.once('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
