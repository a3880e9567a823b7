import { statfsSync } from 'node:fs'

// File systems whose changes by other machines the kernel does not announce (linux/magic.h, and the sources of the drivers).
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x786f4256, 'VirtualBox'],
  [0xbacbacbc, 'VMware'],
])

/** Name of a file system that may be changed from elsewhere without a word; undefined for a local one, and where it cannot be told. */
export function networkFileSystem(
  folder: string,
  typeOf = (path: string): number => statfsSync(path).type,
): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    // Some C libraries give the number with a sign.
    return NETWORK_TYPES.get(typeOf(folder) >>> 0)
  } catch {
    return undefined
  }
}
