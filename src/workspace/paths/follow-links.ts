// Where a path leads, as the kernel would go: one component after the other, links taken where they stand, so that
// `link/../x` is beside the link's target and not beside the link (path_resolution(7)).

/** As many as Linux follows before it gives up (MAXSYMLINKS). */
const MAX_LINKS = 40
/** Links of the kernel that lead elsewhere in each process: what they mean to a command is not known here. */
const OF_A_PROCESS = /^\/proc\/(?:self|thread-self|\d+)$/

/**
 * Returns the absolute path with every link resolved, the last one too, dangling ones included. Components that do not
 * exist are taken as folders. What lies below a process in `/proc` is returned as it is written, and leads nowhere.
 * `readLink` gives the target of a link, undefined for anything else. Never throws.
 */
export function followLinks(path: string, readLink: (path: string) => string | undefined): string {
  const rest = path.split('/').reverse()
  let at = ''
  let links = 0
  while (rest.length > 0) {
    const part = rest.pop()!
    if (part === '' || part === '.') continue
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
      continue
    }
    const next = `${at}/${part}`
    if (OF_A_PROCESS.test(next)) return [next, ...rest.reverse()].join('/')
    const target = readLink(next)
    if (target === undefined) {
      at = next
      continue
    }
    if (++links > MAX_LINKS) return [next, ...rest.reverse()].join('/')
    if (target.startsWith('/')) at = ''
    rest.push(...target.split('/').reverse())
  }
  return at === '' ? '/' : at
}
