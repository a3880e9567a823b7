import type { Config } from '../config/schema.ts'

type Backends = Pick<Config, 'backends'>

/** The keys of the backends, which no command is given. */
export const backendKeys = ({ backends }: Backends): string[] =>
  Object.values(backends).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]))

/** All that the configuration of the backends holds back: keys, values of headers, passwords of addresses. */
export function backendSecrets({ backends }: Backends): { name: string; value: string }[] {
  return Object.values(backends).flatMap(({ apiKey, headers = {}, url }) => {
    const found = Object.entries(headers)
      .filter(([name]) => !PLAIN_HEADER.test(name))
      // `Bearer KEY`: the key alone is as secret.
      .flatMap(([name, value]) => [value, value.slice(value.indexOf(' ') + 1)].map((each) => ({ name, value: each })))
    if (apiKey !== undefined) found.push({ name: 'api_key', value: apiKey })
    const password = url === undefined ? '' : (URL.parse(url)?.password ?? '')
    for (const value of new Set([password, decoded(password)]))
      if (value !== '') found.push({ name: 'password', value })
    return found
  })
}

/** Headers that are no credentials: what they say stands in many texts. */
const PLAIN_HEADER =
  /^(?:accept(?:-.*)?|content-.*|user-agent|referer|http-referer|origin|host|x-title|cache-control|connection|.*-version|.*-beta)$/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
