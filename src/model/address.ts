import { totalmem } from 'node:os'

/** Whether a URL points at this machine. */
export function isLoopback(url: string): boolean {
  const host = hostOf(url)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

// RFC 1918, link-local, carrier-grade NAT (Tailscale), unique local and link-local IPv6.
const privateIPv4 = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/
const privateIPv6 = /^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/
const privateName = /\.(local|lan|home|internal|home\.arpa)$/

/** Whether a URL points at this machine or its own network, where a slow first byte is the model reading the prompt. */
export function isLocal(url: string): boolean {
  const host = hostOf(url)
  if (isLoopback(url)) return true
  if (/^[\d.]+$/.test(host)) return privateIPv4.test(host)
  if (host.includes(':')) return privateIPv6.test(host)
  // A name without a dot is a machine of the own network or a container.
  return privateName.test(host) || (host !== '' && !host.includes('.'))
}

function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '').toLowerCase()
}

/** Bytes of memory of the machine a server runs on; undefined when that is another one than this. */
export function memoryBeside(url: string | undefined): number | undefined {
  return url !== undefined && isLoopback(url) ? totalmem() : undefined
}
