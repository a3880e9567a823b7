import type { Effect } from '../../protocol/tool-call.ts'

/** The part of JSON Schema that tools use. Unknown keywords are ignored; `pattern` and `format` are left to the tool. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema | JsonSchema[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  definitions?: Record<string, JsonSchema>
  minimum?: number
  maximum?: number
  minLength?: number
  minItems?: number
  [keyword: string]: unknown
}

/** Another name under which a tool answers; `map` goes from the alias's argument names to the tool's own. */
export interface ToolAlias {
  name: string
  map?: Record<string, string>
}

/** What the parser must know of a registered tool. `description` is used only by `textToolInstructions`. */
export interface KnownTool {
  name: string
  description?: string
  aliases: readonly ToolAlias[]
  effect: Effect
  schema: JsonSchema
  /** Optional arguments an example shows. */
  usual?: readonly string[]
}

/** The family of textual forms a call was written in. A model keeps to one; the session remembers it. */
export type Dialect =
  | 'tagged-json'
  | 'function'
  | 'invoke'
  | 'element'
  | 'arg-key'
  | 'mistral'
  | 'python-tag'
  | 'pythonic'
  | 'deepseek'
  | 'kimi'
  | 'harmony'
  | 'gemma'
  | 'minimax'
  | 'xtml'
  | 'functionary'
  | 'json'
  | 'react'

export type RepairKind =
  | 'name-case'
  | 'name-alias'
  | 'name-prefix'
  | 'name-spelling'
  | 'argument-name'
  | 'argument-spelling'
  | 'argument-dropped'
  | 'positional'
  | 'flat-arguments'
  | 'double-encoded'
  | 'coerced'
  | 'trailing-comma'
  | 'missing-comma'
  | 'single-quotes'
  | 'smart-quotes'
  | 'triple-quotes'
  | 'unquoted-key'
  | 'python-literal'
  | 'raw-newline'
  | 'bad-escape'
  | 'missing-closer'
  | 'extra-closer'
  | 'unclosed-tag'
  | 'cut'

/** One thing that was mended. `text` is a whole sentence for the event; `field` the argument's path where there is one. */
export interface Repair {
  kind: RepairKind
  field?: string
  text: string
}

/** Why a call cannot run, in the four words FORMAT_ERROR needs. `example` is a right call as one line of JSON. */
export interface CallFault {
  field: string
  expected: string
  found: string
  example: string
}

/**
 * What became of a call as written.
 *
 * - `ok`: the name is a registered tool's and the arguments fit its schema. `truncated` says that the text
 *   ended before the call did; `executable` is false when such a call would change or run anything.
 * - otherwise `fault`; `tool` is there when at least the name was right.
 */
export type Resolution =
  | {
      ok: true
      tool: string
      args: Record<string, unknown>
      repairs: Repair[]
      truncated: boolean
      executable: boolean
    }
  | { ok: false; tool?: string; truncated: boolean; fault: CallFault }

/**
 * What the loop does with a call found in text.
 *
 * - `call`: run it.
 * - `cut`: the text ended inside it, and it writes or runs or lacks what it needs: do not run; tell the model
 *   that it was cut off and to send smaller steps.
 * - `fault`: it stands on its own and is wrong: FORMAT_ERROR with `fault`.
 * - `doubt`: it may have been meant or only shown: ask back once.
 */
export type Verdict = 'call' | 'cut' | 'fault' | 'doubt'

/** A call found in text. `raw` is the exact text of the whole group (calls of one group repeat it with `group`). */
export interface TextCall {
  type: 'call'
  verdict: Verdict
  /** `${idPrefix}${n}`, n from 1 in the message: never the model's own id, which it may give twice. */
  id: string
  /** The id the model wrote, if any. */
  givenId?: string
  dialect: Dialect
  /** As written. Empty when there was none. */
  name: string
  tool?: string
  args?: Record<string, unknown>
  repairs: Repair[]
  truncated: boolean
  fault?: CallFault
  /** Number of the markup block this call came from, from 0; `raw` is given with the block's first call only. */
  group: number
  raw: string
}

/**
 * What the scanner emits, in the order of the text. Where `text` parts are split depends on the chunks,
 * their concatenation does not. `reasoning-before` says that all text so far was reasoning (a `</think>`
 * whose opening stood in the prompt) and voids every call before it. `answer-before` says that the reasoning so far was
 * the answer: it never ended, and nothing else was said.
 */
export type TextPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'reasoning-before' }
  | { type: 'answer-before' }
  | TextCall

export interface ScannerOptions {
  tools: readonly KnownTool[]
  /** The dialect this model has used in this session (or was asked to use); absent: none seen. */
  dialect?: Dialect
  /** The form of a call the model was asked about: when it comes again it is meant, wherever it stands. */
  asked?: Dialect
  /** True when the model has made a native call in this session. */
  madeNativeCalls?: boolean
  /** Default `text-`. Give one that is unique for the response. */
  idPrefix?: string
}
