import type { EventBody } from './event.ts'

/** Deltas may be dropped for a slow reader; every other event may not. Apart from the schemas, so that using it costs nothing. */
export const droppableEvents: ReadonlySet<EventBody['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-output-delta',
])
