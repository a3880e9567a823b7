import { setImmediate, setTimeout } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { Answer, Fault, Frame, ServerOptions, Wire } from './types.ts'

/** Faults that replace the answer or break it off; the others change its form. */
const once = new Set<Fault['type']>([
  'status',
  'reset',
  'cut-before',
  'cut-after',
  'half-json',
  'silent',
  'stall',
  'slow',
  'error-in-stream',
])

/** The fault to commit now, counted down in `left`; undefined when all have happened. */
export function nextFault(faults: Fault[], left: Map<Fault, number>): Fault | undefined {
  return faults.find((fault) => {
    if (!once.has(fault.type)) return false
    const rest = left.get(fault) ?? ('times' in fault ? (fault.times ?? 1) : 1)
    if (rest <= 0) return false
    left.set(fault, rest - 1)
    return true
  })
}

/** Writes one answer, with its faults. Returns when the answer is over or the client has gone. */
export async function respond(
  response: ServerResponse,
  wire: Wire,
  answer: Answer,
  fault: Fault | undefined,
  options: ServerOptions,
): Promise<void> {
  if (fault?.type === 'silent') return
  if (fault?.type === 'reset') return void response.socket?.resetAndDestroy()
  if (fault?.type === 'status') return refuse(response, wire, fault)
  if (answer.has('web-page')) {
    response.writeHead(200, { 'content-type': 'text/html' })
    return void response.end('<!doctype html><html><body>It works!</body></html>')
  }
  const streamed = answer.request.stream && !answer.has('json-instead-of-stream')
  const type = formFault(answer)?.contentType ?? (streamed ? wire.streamType : 'application/json')
  const frames = streamed ? wire.frames(answer) : [{ text: wire.whole(answer), token: true }]
  response.writeHead(200, { 'content-type': type })
  response.flushHeaders()
  await writeFrames(response, frames, wire, fault, options.wireBytes)
}

function formFault(answer: Answer): { contentType: string } | undefined {
  const fault = answer.step.faults?.find((entry) => entry.type === 'wrong-content-type')
  return fault === undefined ? undefined : { contentType: fault.contentType ?? 'text/plain' }
}

function refuse(response: ServerResponse, wire: Wire, fault: Fault & { type: 'status' }): void {
  const after = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
  response.writeHead(fault.status, { 'content-type': 'application/json', ...after })
  response.end(JSON.stringify(fault.body ?? wire.error(fault.status, `scripted failure ${fault.status}`)))
}

async function writeFrames(
  response: ServerResponse,
  frames: Frame[],
  wire: Wire,
  fault: Fault | undefined,
  wireBytes: number | undefined,
): Promise<void> {
  let tokens = 0
  for (const frame of frames) {
    if (response.destroyed) return
    if (frame.token === true && (await breaksAt(response, frame, tokens++, wire, fault))) return
    if (fault?.type === 'slow') await setTimeout(fault.ms)
    await write(response, frame.text, fault?.type === 'slow' ? 1 : wireBytes, fault)
  }
  // An answer without any token breaks at its end.
  if (fault?.type === 'cut-before' || fault?.type === 'cut-after') response.destroy()
  else response.end()
}

async function breaksAt(
  response: ServerResponse,
  frame: Frame,
  token: number,
  wire: Wire,
  fault: Fault | undefined,
): Promise<boolean> {
  switch (fault?.type) {
    case 'cut-before':
      await flushed(response, '')
      response.destroy()
      return true
    case 'cut-after':
      if (token < (fault.tokens ?? 1)) return false
      await flushed(response, '')
      response.destroy()
      return true
    case 'half-json':
      // Half of a frame, then a clean end: the body is whole for HTTP and broken for JSON.
      response.end(frame.text.slice(0, Math.ceil(frame.text.length / 2)))
      return true
    case 'stall':
      return token >= (fault.tokens ?? 1)
    case 'error-in-stream': {
      if (token < (fault.tokens ?? 0)) return false
      const text = JSON.stringify(fault.body)
      response.end(wire.streamType === 'text/event-stream' ? `data: ${text}\n\n` : `${text}\n`)
      return true
    }
    case undefined:
    default:
      return false
  }
}

async function write(
  response: ServerResponse,
  text: string,
  bytes: number | undefined,
  fault: Fault | undefined,
): Promise<void> {
  if (bytes === undefined) return void response.write(text)
  const data = Buffer.from(text)
  for (let i = 0; i < data.length && !response.destroyed; i += bytes) {
    response.write(data.subarray(i, i + bytes))
    // A turn of the event loop between writes keeps them apart on the wire; slow answers are slow by frame, not by byte.
    if (fault?.type !== 'slow') await setImmediate()
  }
}

function flushed(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(text === '' ? '\n' : text, () => resolve())
  })
}
