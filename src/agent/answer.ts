// Reads one answer of the model: streams its text out, stores it as it grows, and gives back text, calls and how it ended.
// A piece is kept before it is shown: nothing that was seen is lost to a kill.
import { ModelError } from '../model/language-model.ts'
import type { StreamPart } from '../model/language-model.ts'
import { plainCall, type BatchCall } from '../tools/batch-call.ts'
import type { FinishReason, Message, ModelOutput, NewMessage, Usage } from '../protocol/index.ts'
import type { AnswerBound } from './answer-bound.ts'
import type { CallIds } from './call-ids.ts'
import type { LoopInput, ScannedText, StructuredFacts, TextScanner } from './ports.ts'

/** Parts of an answer that are there are taken in without a pause for no longer than this. */
const MOST_BUSY_MS = 20

interface NativeCall {
  id: string | undefined
  name: string
  text: string
  ended: boolean
}

export interface Answer {
  output: ModelOutput
  calls: BatchCall[]
  /** Id of the stored AI message. */
  messageId: string
  /** The text may hold a call; the model is asked once what it meant. */
  doubt?: string
  structured?: StructuredFacts
  /** A call that was cut off by the token limit and left out. */
  droppedCall?: string
  /** The bound of answers that it reached, in words. */
  bound?: string
  error?: ModelError
  interrupted: boolean
}

/** Gathers parts of one answer and keeps the stored message in step. */
class AnswerBuilder {
  text = ''
  reasoning = ''
  reasoningData: unknown
  /** A structured answer as it was written. */
  raw: string | undefined
  finish: FinishReason | undefined
  usage: Usage | undefined
  readonly native = new Map<number, NativeCall>()
  private begun: Message | undefined
  private open: 'text' | 'reasoning' | undefined
  private readonly input: LoopInput

  constructor(input: LoopInput) {
    this.input = input
  }

  show(kind: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    if (this.open !== kind) {
      this.closeOpen()
      this.input.emit({ type: kind === 'text' ? 'text-start' : 'reasoning-start' })
      this.open = kind
    }
    if (kind === 'text') this.text += text
    else this.reasoning += text
    if (this.begun) this.input.log.grow(this.begun, [kind, text])
    else this.begun = this.input.log.begin(this.message(this.output([], 'cut')))
    this.input.emit({ type: kind === 'text' ? 'text-delta' : 'reasoning-delta', text })
  }

  showScanned({ visible, reasoning, allReasoning, allAnswer }: ScannedText): void {
    if (allReasoning) {
      this.reasoning += this.text
      this.text = ''
      if (this.begun) this.input.log.grow(this.begun, ['all-reasoning'])
    }
    this.show('reasoning', reasoning)
    this.show('text', visible)
    if (allAnswer && this.text.trim() === '' && this.native.size === 0) {
      const answer = this.reasoning
      this.reasoning = ''
      this.show('text', answer)
    }
  }

  closeOpen(): void {
    if (this.open !== undefined) this.input.emit({ type: this.open === 'text' ? 'text-end' : 'reasoning-end' })
    this.open = undefined
  }

  output(calls: BatchCall[], finishReason: FinishReason): ModelOutput {
    const output: ModelOutput = {
      text: this.text,
      toolCalls: calls.map(plainCall),
      finishReason,
      model: this.input.model.name,
    }
    if (this.reasoning !== '') output.reasoning = this.reasoning
    if (this.reasoningData !== undefined) output.reasoningData = this.reasoningData
    if (this.raw !== undefined) output.raw = this.raw
    if (this.usage) output.usage = this.usage
    return output
  }

  get messageId(): string | undefined {
    return this.begun?.id
  }

  /** Stores the whole answer; the id of its message. */
  store(output: ModelOutput): string {
    const message = this.message(output)
    if (this.begun) this.input.log.replace(this.begun.id, message)
    else this.begun = this.input.log.append(message)
    return this.begun.id
  }

  private message(output: ModelOutput): NewMessage {
    return { sender: 'AI', text: output.text, output }
  }
}

function takePart(
  part: StreamPart,
  builder: AnswerBuilder,
  scanner: TextScanner | undefined,
  bound: AnswerBound | undefined,
): void {
  const within = (text: string): string => bound?.take(text) ?? text
  switch (part.type) {
    case 'text': {
      const text = within(part.text)
      if (!scanner) return builder.show('text', text)
      return builder.showScanned(scanner.feed(text))
    }
    case 'reasoning':
      return builder.show('reasoning', within(part.text))
    case 'reasoning-data':
      builder.reasoningData = part.data
      return
    case 'tool-call-start':
      builder.native.set(part.index, { id: part.id, name: part.name, text: '', ended: false })
      return
    case 'tool-call-delta': {
      const call = builder.native.get(part.index)
      if (call) call.text += within(part.arguments)
      return
    }
    case 'tool-call-end': {
      const call = builder.native.get(part.index)
      if (call) call.ended = true
      return
    }
    case 'usage':
      builder.usage = part.usage
      return
    case 'finish':
      builder.finish = part.reason
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Calls in the order the model made them; a native call that the token limit cut in two is left out and named. */
function gatherCalls(builder: AnswerBuilder, input: LoopInput, ids: CallIds): { calls: BatchCall[]; dropped?: string } {
  const cutAtLimit = ({ text }: NativeCall): boolean =>
    builder.finish === 'length' && !isJson(text === '' ? '{}' : text)
  const all = [...builder.native.values()]
  const dropped = all.findLast(cutAtLimit)?.name
  // The server says that the model ended its answer itself: what is missing at the end is a slip, not a cut.
  const whole = builder.finish === 'tool_calls' || builder.finish === 'stop'
  const written = all
    .filter((call) => !cutAtLimit(call))
    .map(({ id, name, text }) => ({ id, name, argumentsText: text }))
  const given = ids.forResponse(written)
  const calls = written.map(({ name, argumentsText }, at): BatchCall => {
    const { id, repeated } = given[at]!
    const pending = input.calls.resolve({ id, name, argumentsText, ...(whole ? { cut: false } : {}) })
    if (repeated) pending.repeatedId = true
    return pending
  })
  return dropped === undefined ? { calls } : { calls, dropped }
}

/**
 * Reads one answer to its end, cut or interruption. Never throws for a fault of the model or the wire: `error` and
 * `interrupted` say what happened, and what had arrived is stored. `ids` knows every call id of the session. `withoutCalls`:
 * the model was asked for an answer alone, so what it calls all the same is left out.
 */
export async function readAnswer(
  stream: AsyncIterable<StreamPart>,
  input: LoopInput,
  ids: CallIds,
  { withoutCalls = false, bound }: { withoutCalls?: boolean; bound?: AnswerBound } = {},
): Promise<Answer> {
  const builder = new AnswerBuilder(input)
  const scanner = input.calls.scanner()
  let error: ModelError | undefined
  let yieldedAt = performance.now()
  try {
    for await (const part of stream) {
      takePart(part, builder, scanner, bound)
      // A stream that is faster than its reader must not outlive the run: timers and interrupts get their turn.
      if (performance.now() - yieldedAt > MOST_BUSY_MS) {
        await new Promise<void>((resolve) => setImmediate(resolve))
        yieldedAt = performance.now()
      }
      if (bound?.reached !== undefined || input.signal.aborted) break
    }
  } catch (thrown) {
    error =
      thrown instanceof ModelError
        ? thrown
        : new ModelError('unknown', `The model's answer could not be read: ${String(thrown)}`, {
            retryable: false,
            cause: thrown,
          })
  }
  bound?.end()
  const interrupted = input.signal.aborted
  const isBounded = bound?.reached !== undefined && !interrupted
  if (isBounded) {
    builder.finish = 'length'
    error = undefined
  }
  const rest = scanner?.end({ cut: builder.finish === 'length' || builder.finish === undefined })
  if (rest) builder.showScanned(rest)
  builder.raw = rest?.structured?.raw
  builder.closeOpen()
  const finish: FinishReason = interrupted ? 'interrupted' : (builder.finish ?? 'cut')
  const answer: Answer = { output: builder.output([], finish), calls: [], messageId: '', interrupted }
  if (error && !interrupted) answer.error = error
  if (isBounded) answer.bound = bound.reached!
  // What a cut or interrupted answer asked for is not run: it may not be all of it.
  if (!error && !interrupted && !withoutCalls) {
    const native = gatherCalls(builder, input, ids)
    answer.calls = native.calls
    if (native.dropped !== undefined) answer.droppedCall = native.dropped
    if (native.calls.length > 0) input.calls.observe('native')
    else if (rest?.structured) {
      answer.structured = rest.structured
      answer.calls = rest.calls.map((call) => ({ ...call, id: ids.fresh(), fromText: true }))
    } else if (rest && rest.calls.length > 0) {
      input.calls.observe('text')
      answer.calls = rest.calls.map((call) => ({
        ...call,
        id: ids.fresh(),
        fromText: true,
      }))
    }
    if (rest?.doubt !== undefined && native.calls.length === 0) answer.doubt = rest.doubt
  }
  answer.output = builder.output(answer.calls, finish)
  const nothing = answer.output.text === '' && answer.calls.length === 0 && builder.reasoning === ''
  if (!nothing || builder.messageId !== undefined) {
    answer.messageId = builder.store(answer.output)
  }
  return answer
}
