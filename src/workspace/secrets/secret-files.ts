import { basename } from 'node:path'

/** Files that hold secrets: neither read nor sent unless the user allows the file. Globs on the name, or on the path's end. */
export const DEFAULT_SECRET_FILES = [
  '.env',
  '.env.*',
  '*.env',
  '.envrc',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.htpasswd',
  '.dockercfg',
  '.docker/config.json',
  '.kube/config',
  '.aws/credentials',
  '.aws/config',
  '.azure/*',
  '.config/gcloud/*',
  '.config/gh/hosts.yml',
  '.ssh/*',
  '.gnupg/*',
  '.cargo/credentials*',
  '.gem/credentials',
  '.terraformrc',
  'terraform.tfstate*',
  '*.tfvars',
  'credentials.json',
  'client_secret*.json',
  'service-account*.json',
  'secrets.y?ml',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '*.ppk',
  '*.asc',
]

/** Files the defaults would catch although they are made to be read. */
export const DEFAULT_NOT_SECRET = ['.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults']

/**
 * Makes the test for secret files: for a path the pattern that makes it secret, or null. Names are compared without case, because
 * a file system may. A pattern with `/` is compared with the end of the path; `!pattern` takes files out again.
 */
export function createSecretFileRule(patterns: string[] = DEFAULT_SECRET_FILES): (path: string) => string | null {
  const denied = patterns.filter((each) => !each.startsWith('!')).map(compile)
  const allowed = [
    ...DEFAULT_NOT_SECRET,
    ...patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1)),
  ].map(compile)
  return (path) => {
    const whole = path.replaceAll('\\', '/').normalize('NFC')
    const name = basename(whole)
    const hit = denied.find((each) => each.matches(name, whole))
    if (hit === undefined || allowed.some((each) => each.matches(name, whole))) return null
    return hit.pattern
  }
}

function compile(pattern: string): { pattern: string; matches(name: string, path: string): boolean } {
  const body = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  const inPath = pattern.includes('/')
  const expression = new RegExp(inPath ? `(?:^|/)${body}$` : `^${body}$`, 'i')
  return { pattern, matches: (name, path) => expression.test(inPath ? path : name) }
}
