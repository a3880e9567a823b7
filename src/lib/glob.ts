import picomatch from 'picomatch'

/** Makes a test of paths; a glob without a slash is held against the last part of a path. Files with a leading dot count. */
export function globMatcher(glob: string): (path: string) => boolean {
  return picomatch(glob.replace(/^\.\//, ''), { dot: true, basename: !glob.includes('/') })
}
