/** Files that hold secrets: neither read nor sent unless the user allows the file. Globs on the name, or on the path's end. */
const DEFAULT_SECRET_FILES = [
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
  'secrets.yml',
  'secrets.yaml',
  'secrets.toml',
  'secrets.json',
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
const DEFAULT_NOT_SECRET = ['.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults']

/**
 * Makes the test for secret files: for a path the pattern that makes it secret, or null. Names are compared without case, because
 * a file system may. A pattern with `/` is compared with the end of the path. `further` adds to the defaults;
 * `!pattern` takes files out again.
 */
export function createSecretFileRule(further: readonly string[] = []): (path: string) => string | null {
  const patterns = [...DEFAULT_SECRET_FILES, ...further]
  const denied = patterns.filter((each) => !each.startsWith('!'))
  const allowed = [
    ...DEFAULT_NOT_SECRET,
    ...patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1)),
  ]
  // One expression for all: every file that is listed or searched comes through here.
  const [isDenied, isAllowed] = [anyOf(denied), anyOf(allowed)]
  return (path) => {
    const whole = path.replaceAll('\\', '/').normalize('NFC')
    if (!isDenied.test(whole) || isAllowed.test(whole)) return null
    return denied.find((pattern) => anyOf([pattern]).test(whole)) ?? null
  }
}

/** Matches a path whose end is one of the patterns; a pattern is the whole of a name, or of the last names. */
function anyOf(patterns: string[]): RegExp {
  const bodies = patterns.map((pattern) =>
    pattern
      .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]'),
  )
  // Nothing matches when there are no patterns.
  return new RegExp(bodies.length === 0 ? '(?!)' : `(?:^|/)(?:${bodies.join('|')})$`, 'i')
}
