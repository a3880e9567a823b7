// Secrets of ten kinds of places in six forms of values, planted into a workspace, an environment and a configuration.
import { Document } from 'yaml'
import { DIGITS, LETTERS, pick, randomOf, text } from './random.ts'

export const FORMS = ['plain', 'quoted', 'multi-line', 'short', 'binary', 'url'] as const
export const KINDS = [
  'dotenv',
  'rc',
  'json',
  'yaml',
  'ini',
  'tfvars',
  'environment',
  'backend',
  'source',
  'xml',
] as const
export type Form = (typeof FORMS)[number]
export type Kind = (typeof KINDS)[number]

export interface Planted {
  kind: Kind
  form: Form
  name: string
  value: string
  /** Searched for beside its name and alone on a line only: four figures are in every log. */
  weak: boolean
}

export interface Plan {
  secrets: Planted[]
  /** By path; those of secret files and of open ones. */
  files: Record<string, string>
  secretFiles: string[]
  openFiles: string[]
  env: Record<string, string>
  /** Headers of the backend. */
  headers: Record<string, string>
}

const OPEN: ReadonlySet<Kind> = new Set(['source', 'xml'])

export function plant(seed: number, count = KINDS.length * FORMS.length): Plan {
  const random = randomOf(seed)
  const secrets: Planted[] = []
  for (let at = 0; at < count; at++) {
    const kind = KINDS[at % KINDS.length]!
    const form = FORMS[Math.floor(at / KINDS.length) % FORMS.length]!
    const name = `${pick(random, ['DB', 'APP', 'SMTP', 'MAIN'])}_${pick(random, LETTERS)}${at}_${pick(random, ['PASSWORD', 'TOKEN', 'SECRET', 'API_KEY'])}`
    secrets.push({ kind, form, name, ...valueOf(random, kind, form) })
  }
  const of = (kind: Kind): Planted[] => secrets.filter((each) => each.kind === kind)
  const files: Record<string, string> = {
    '.env': lines(of('dotenv').map(({ name, value }) => dotenv(random, name, value))),
    '.npmrc': lines(of('rc').map(({ name, value }) => `//registry.example.org/${name}/:_authToken=${iniValue(value)}`)),
    'config/credentials.json': JSON.stringify(
      { note: 'of the pipeline', accounts: Object.fromEntries(of('json').map(({ name, value }) => [name, value])) },
      null,
      pick(random, [0, 2]),
    ),
    'config/secrets.yml': new Document({
      production: Object.fromEntries(of('yaml').map(({ name, value }) => [name, value])),
    }).toString(),
    '.aws/credentials': lines(['[default]', ...of('ini').map(({ name, value }) => `${name} = ${iniValue(value)}`)]),
    'prod.tfvars': lines(of('tfvars').map(({ name, value }) => hcl(random, name, value))),
    'src/settings.ts': lines(['export const settings = {', ...of('source').map((each) => source(random, each)), '}']),
    'web.config': lines(['<configuration>', ...of('xml').map((each) => xml(random, each)), '</configuration>']),
    // What somebody else's program wrote where nobody takes it for a secret.
    'logs/deploy.log': lines(
      [...of('environment'), ...of('backend'), ...of('dotenv'), ...of('json')].flatMap(({ name, value, weak }) =>
        weak ? [`${name}=${value}`] : [`using ${value} for the upload`, `${name}: ${JSON.stringify(value)}`],
      ),
    ),
  }
  const openFiles = ['src/settings.ts', 'web.config', 'logs/deploy.log']
  return {
    secrets,
    files,
    openFiles,
    secretFiles: Object.keys(files).filter((path) => !openFiles.includes(path)),
    env: Object.fromEntries(of('environment').map(({ name, value }) => [name, value])),
    headers: Object.fromEntries(of('backend').map(({ name, value }) => [`x-${name.replaceAll('_', '-')}`, value])),
  }
}

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`

function valueOf(random: () => number, kind: Kind, form: Form): { value: string; weak: boolean } {
  const strong = (value: string): { value: string; weak: boolean } => ({ value, weak: false })
  const open = OPEN.has(kind)
  switch (form) {
    case 'plain':
      return strong(text(random, 24))
    case 'quoted': {
      // A header of HTTP has no line ends and no quotes that would survive.
      const signs = open || kind === 'backend' ? '!@#%^*+?' : ` #=!&%@:;,${pick(random, ['"', "'"])}`
      return strong(
        `${text(random, 6)}${pick(random, signs)}${text(random, 6)}${pick(random, signs)}${text(random, 5)}`,
      )
    }
    case 'multi-line': {
      if (open) return strong(pem(random))
      if (kind === 'backend') return strong(text(random, 40))
      return strong([text(random, 20), text(random, 20), text(random, 20)].join('\n'))
    }
    case 'short': {
      const long = open || kind === 'backend' || random() < 0.5
      const value = Array.from({ length: long ? 8 : 4 }, () => pick(random, DIGITS)).join('')
      // Made of few figures or in order it is not a secret that anybody could tell from a number.
      const plainNumber = new Set(value).size < 4 || '0123456789'.includes(value)
      return plainNumber ? valueOf(random, kind, form) : { value, weak: !long }
    }
    case 'binary': {
      const bytes = Buffer.from(Array.from({ length: 24 }, () => Math.floor(random() * 256)))
      const value = bytes.toString(pick(random, ['hex', 'base64'] as const))
      return /\d/.test(value) && /[a-z]/i.test(value) ? strong(value) : valueOf(random, kind, form)
    }
    case 'url':
      return strong(
        `${text(random, 6)}${pick(random, '@/+&%:')}${text(random, 6)}${pick(random, '@/+&=')}${text(random, 4)}`,
      )
  }
}

function pem(random: () => number): string {
  const body = Array.from({ length: 5 }, () => Buffer.from(text(random, 48)).toString('base64'))
  return ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'].join('\n')
}

function dotenv(random: () => number, name: string, value: string): string {
  const lead = pick(random, ['', 'export '])
  if (/^[\w+/=-]+$/.test(value)) return `${lead}${name}=${value}${pick(random, ['', ' # rotate'])}`
  if (!/["\\$`]/.test(value)) return `${lead}${name}="${random() < 0.5 ? value : value.replaceAll('\n', '\\n')}"`
  if (!/['\n]/.test(value)) return `${lead}${name}='${value}'`
  return `${lead}${name}=\`${value}\``
}

function iniValue(value: string): string {
  return /^[\w+/=-]+$/.test(value) ? value : JSON.stringify(value)
}

function hcl(random: () => number, name: string, value: string): string {
  if (value.includes('\n') && random() < 0.5) return `${name} = <<EOT\n${value}\nEOT`
  return `${name} = ${JSON.stringify(value)}`
}

function source(random: () => number, { name, value, form }: Planted): string {
  const key = pick(random, ['password', 'pwd', 'dbPassword', 'client_secret'])
  if (form === 'multi-line') return `  ${name}: \`${value}\`,`
  if (form === 'url') return `  url${name}: 'postgres://app:${encodeURIComponent(value)}@db.example.org/main',`
  const quoted = `'${value}'`
  if (form === 'short') return `  ${key}: ${quoted}, // ${name}`
  return pick(random, [
    `  ${key}: ${quoted},`,
    `  '${key}': "${value}",`,
    `  headers: { 'X-Api-Key': ${quoted} },`,
    `  // ${key} = ${quoted}`,
  ])
}

function xml(random: () => number, { value, form }: Planted): string {
  const inner = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (form === 'multi-line') return `  <certificate>\n${value}\n  </certificate>`
  if (form === 'url') return `  <db url="postgres://app:${encodeURIComponent(value)}@db.example.org/main"/>`
  return pick(random, [
    `  <password>${inner}</password>`,
    `  <db:Password>${inner}</db:Password>`,
    `  <add key="DbPassword" value="${inner}" />`,
    `  <property name="smtp.password">${inner}</property>`,
    `  <connection user="app" password="${inner}"/>`,
  ])
}
