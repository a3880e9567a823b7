import { createKnownSecrets } from './known-secrets.ts'
import type { NamedValue } from './secret-file-values.ts'
import { createSecretMask, type SecretMask } from './mask.ts'

/** Files of secrets are looked at again for events and rows at most so often. */
const LOOK_AGAIN_MS = 1_000

export interface SessionSecretsOptions {
  /** Real path of the workspace root. */
  root: string
  /** The pattern that makes a path secret, or null. */
  secretRule: (path: string) => string | null
  /** The environment whose secrets are to be masked; default the process's. */
  env?: NodeJS.ProcessEnv
  /** Values that are secret in any case (API keys of backends). */
  values?: readonly (string | NamedValue)[]
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
  let lookedAt = -Infinity
  const look = (): void => {
    lookedAt = now()
    mask.know(known.values())
  }
  return {
    ...mask,
    mask(text) {
      look()
      return mask.mask(text)
    },
    maskDeep(value) {
      look()
      return mask.maskDeep(value)
    },
    maskKnown(value) {
      // Asked of every event; results and messages looked a moment ago.
      if (now() - lookedAt > LOOK_AGAIN_MS) look()
      return mask.maskKnown(value)
    },
    holdsKnown(value) {
      look()
      return mask.holdsKnown(value)
    },
    stream() {
      look()
      return mask.stream()
    },
  }
}
