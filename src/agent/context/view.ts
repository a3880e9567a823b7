// What of a stored conversation stands in the prompt. The history is never touched: a pass over a full window is stored as
// a marker (a COMPACTION message), and everything before it is seen through that marker from then on, byte for byte the same.
import type { Message } from '../../protocol/index.ts'

/** How a tool result stands in the prompt: head and tail only, a line that says how to load it again, or superseded. */
export type ResultForm = 'cut' | 'stub' | 'superseded'

/** What one pass over a full window decided, or the user about one block. */
export interface Marker {
  /** Form by call id; added to those of earlier markers. */
  results: Record<string, ResultForm | 'whole'>
  /** What the user pinned, or no longer: by the key of the block. */
  pins?: Record<string, boolean>
  /** Attachments and images the user left out, or took back: by the key of the block. */
  dropped?: Record<string, boolean>
  summary?: {
    text: string
    /** Messages before this sequence number are replaced by the summary. */
    beforeSeq: number
    /** User messages before it that stay word for word. */
    keptUserSeqs: number[]
  }
}

export interface ContextView {
  results: ReadonlyMap<string, ResultForm>
  /** Keys of blocks that are never shortened and go through every summary. */
  pinned: ReadonlySet<string>
  /** Keys of attachments and images that are left out. */
  dropped: ReadonlySet<string>
  summary?: NonNullable<Marker['summary']>
}

export function markerText(marker: Marker): string {
  return JSON.stringify(marker)
}

/** The view of a log by how long it was: only what is added to its end can bring a marker. */
const views = new WeakMap<readonly Message[], { length: number; view: ContextView }>()

/** Adds up the markers of a log. A marker that cannot be read is passed over: more is sent, nothing is lost. */
export function viewOf(messages: readonly Message[]): ContextView {
  const known = views.get(messages)
  if (known?.length === messages.length) return known.view
  const view = addUp(messages)
  views.set(messages, { length: messages.length, view })
  return view
}

function addUp(messages: readonly Message[]): ContextView {
  const results = new Map<string, ResultForm>()
  const pinned = new Set<string>()
  const dropped = new Set<string>()
  let summary: Marker['summary']
  for (const { system } of messages) {
    if (system?.type !== 'COMPACTION') continue
    const marker = markerOf(system)
    if (!marker) continue
    for (const [callId, form] of Object.entries(marker.results)) {
      if (form === 'whole') results.delete(callId)
      else results.set(callId, form)
    }
    mark(pinned, marker.pins)
    mark(dropped, marker.dropped)
    summary = marker.summary ?? summary
  }
  return { results, pinned, dropped, ...(summary ? { summary } : {}) }
}

function mark(keys: Set<string>, changes: Record<string, boolean> = {}): void {
  for (const [key, isIn] of Object.entries(changes)) {
    if (isIn) keys.add(key)
    else keys.delete(key)
  }
}

/** Markers that were read before, by their messages: a long session has many, and each prompt looks at all of them. */
const known = new WeakMap<object, { marker: Marker | undefined }>()

function markerOf(system: NonNullable<Message['system']>): Marker | undefined {
  let read = known.get(system)
  if (!read) {
    read = { marker: parseMarker(system.data ?? '') }
    known.set(system, read)
  }
  return read.marker
}

function parseMarker(text: string): Marker | undefined {
  try {
    const marker = JSON.parse(text) as Partial<Marker> | null
    if (typeof marker?.results !== 'object') return undefined
    const { results, summary, pins, dropped } = marker
    const whole =
      typeof summary?.text === 'string' && typeof summary.beforeSeq === 'number' && Array.isArray(summary.keptUserSeqs)
    return { results, ...(whole ? { summary } : {}), ...(pins ? { pins } : {}), ...(dropped ? { dropped } : {}) }
  } catch {
    return undefined
  }
}
