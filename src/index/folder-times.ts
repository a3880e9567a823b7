// Tells from the time of a folder's last change whether what was listed in it still stands, so that it need not be listed again.
// That time moves with every entry that comes, goes or is renamed, and cannot be set back as the time of modification can.
import { lstatSync, statfsSync } from 'node:fs'

/** A folder listed sooner after its last change than this may change once more without another time, in milliseconds. */
const SETTLED_MS = 2_000

/** Linux file systems (statfs `f_type`) known to keep the time: ext2–4, btrfs, xfs, f2fs, zfs, bcachefs, tmpfs, overlayfs. */
const KEEPING = new Set([0xef53, 0x9123683e, 0x58465342, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630])

export class FolderTimes {
  private root: string
  private settledMs: number
  /** Of the root, as another may keep time otherwise; NaN where no folder is believed. */
  private device: number

  /** `settledMs`: see SETTLED_MS, for clocks known to be finer. */
  constructor(root: string, settledMs = SETTLED_MS) {
    this.root = root
    this.settledMs = settledMs
    this.device = deviceOf(root)
  }

  /** Time of a folder's last change; undefined when it is none, NaN when that says nothing. */
  of(folder: string): number | undefined {
    try {
      const now = lstatSync(`${this.root}/${folder}`, { throwIfNoEntry: false })
      if (!now?.isDirectory()) return undefined
      return now.dev === this.device ? now.ctimeMs : Number.NaN
    } catch {
      return Number.NaN
    }
  }

  /** As `of`, for a folder that is about to be listed: NaN too where its list will prove nothing. */
  beforeListing(folder: string): number {
    const time = this.of(folder) ?? Number.NaN
    return Date.now() - time > this.settledMs ? time : Number.NaN
  }
}

/** The device of a root whose file system keeps the time; else NaN. */
function deviceOf(root: string): number {
  try {
    const isKept = process.platform === 'linux' && KEEPING.has(statfsSync(root).type)
    return isKept ? lstatSync(root).dev : Number.NaN
  } catch {
    return Number.NaN
  }
}
