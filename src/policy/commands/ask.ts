/** Why a call of a program that otherwise just runs is asked about. */
export interface Ask {
  /** One clause: `a commit is not taken back by undo`. */
  reason: string
  /** True when an approval may cover the first words and leave the rest open; else it covers exactly these words. */
  prefix?: boolean
}
