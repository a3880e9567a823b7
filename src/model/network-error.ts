import { modelError } from './errors.ts'
import type { ErrorContext } from './errors.ts'
import type { ModelError } from './language-model.ts'

// What Node says when there is no network at all: trying again in two seconds does not mend it.
const offlineCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'ENONET'])
const certificateCode = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|CERT_|ERR_TLS_CERT)/

/** Maps a failure of the connection, by Node's error code, to the closed list. */
export function networkError(context: ErrorContext, error: NodeJS.ErrnoException, loopback: boolean): ModelError {
  const code = codeOf(error)
  const who = `${context.backend} (${context.url})`
  if (code === 'ECONNREFUSED')
    return modelError(context, 'network', `Nothing answers at ${context.url} (connection refused)`, {
      // On this machine a refused connection means that the server is not running, and waiting starts none.
      retryable: !loopback,
      suggestion: startSuggestion(context),
      cause: error,
    })
  if (offlineCodes.has(code))
    return modelError(context, 'network', `${who} cannot be reached (${code})`, {
      retryable: false,
      suggestion: `Check the network connection and url of the backend "${context.backend}".${proxyHint()}`,
      cause: error,
    })
  if (certificateCode.test(code))
    return modelError(context, 'network', `The certificate of ${who} is not trusted (${code})`, {
      retryable: false,
      suggestion: 'Add its authority: set NODE_EXTRA_CA_CERTS to the PEM file, or ca_file of the backend.',
      cause: error,
    })
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return modelError(context, 'network', `${who} does not speak TLS (${code})`, {
      retryable: false,
      suggestion: `Use http:// in url of the backend "${context.backend}".`,
      cause: error,
    })
  if (code.startsWith('HPE_'))
    return modelError(context, 'bad_response', `${who} does not speak HTTP (${code})`, {
      retryable: false,
      suggestion: `Check the port in url of the backend "${context.backend}".`,
      cause: error,
    })
  return modelError(context, 'network', `The connection to ${who} broke (${code || error.message})`, {
    retryable: true,
    suggestion: 'Try again; if it stays, look at the log of the model server.',
    cause: error,
  })
}

/** Nobody answered within the time. */
export function connectTimeout(context: ErrorContext, ms: number): ModelError {
  const who = `${context.backend} (${context.url})`
  return modelError(context, 'network', `${who} did not answer the connection within ${ms / 1000} s`, {
    retryable: true,
    suggestion: `Check url of the backend "${context.backend}" and that the server runs.${proxyHint()}`,
  })
}

/** A proxy of the environment that this Node does not use explains a server that cannot be reached. */
export function proxyHint(env: NodeJS.ProcessEnv = process.env, version = process.versions.node): string {
  const set = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].find((name) => (env[name] ?? '') !== '')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (set === undefined || major > 24 || (major === 24 && minor >= 5)) return ''
  return ` ${set} is set, but Node ${version} does not use it: update Node to 24.5 or later.`
}

function startSuggestion(context: ErrorContext): string {
  if (context.provider === 'ollama') return 'Start it with `ollama serve`, or set url of the backend.'
  return `Start the model server, or set url of the backend "${context.backend}".`
}

function codeOf(error: NodeJS.ErrnoException): string {
  if (error.code !== undefined) return error.code
  // Node tries all addresses of a name and then throws an AggregateError.
  if (error instanceof AggregateError) return (error.errors[0] as NodeJS.ErrnoException | undefined)?.code ?? ''
  return ''
}
