import { createKnownSecrets } from './known-secrets.ts'
import { createSecretMask, type SecretMask } from './mask.ts'

export interface SessionSecretsOptions {
  /** Real path of the workspace root. */
  root: string
  /** The pattern that makes a path secret, or null. */
  secretRule: (path: string) => string | null
  /** The environment whose secrets are to be masked; default the process's. */
  env?: NodeJS.ProcessEnv
  /** Values that are secret in any case (API keys of backends). */
  values?: readonly string[]
  /** Names of variables whose values may be seen. */
  allowNames?: readonly string[]
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The mask of one session, which knows the secrets of the workspace and the environment as of each call. */
export function createSessionSecrets(options: SessionSecretsOptions): SecretMask {
  const { root, secretRule, env = process.env, values = [], allowNames = [], now = Date.now } = options
  const known = createKnownSecrets({ root, secretRule, env, allowNames, now })
  const mask = createSecretMask()
  mask.know(values)
  return {
    ...mask,
    mask(text) {
      mask.know(known.values())
      return mask.mask(text)
    },
  }
}
