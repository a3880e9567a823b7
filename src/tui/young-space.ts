// Bounds the space V8 gives to young objects. It doubles that space up to 128 MB while much is alive at once, never gives it
// back, and the garbage of a screen is dead within a frame: after 50 answers a third of the memory was this space, empty.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** From this size on the space does not grow. Half of it costs more CPU, because objects of a frame are then taken for old. */
const MAX_YOUNG_BYTES = 32 * 1024 * 1024

/** A function to call now and then: it looks, and ends the growth once. */
export function youngSpaceBound(): () => void {
  let bounded = false
  return () => {
    if (bounded) return
    const space = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space')
    if (space === undefined || space.space_size < MAX_YOUNG_BYTES) return
    // V8 reads this factor at each growth; it is no flag that must be set before the start.
    setFlagsFromString('--semi-space-growth-factor=1')
    bounded = true
  }
}
