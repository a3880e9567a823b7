import { z } from 'zod'
import * as protocol from '../../src/protocol/index.ts'
import { droppableEvents } from '../../src/protocol/event-kinds.ts'
import { code, generated, table } from './markdown.ts'
import { eventWords, operationWords, typeWords } from './protocol-words.ts'
import { type Schema, typeText } from '../../src/config/schema-words.ts'

/** Schemas that get a section of their own; elsewhere they stand by name. */
const named: Record<keyof typeof typeWords, z.ZodType> = {
  Message: protocol.messageSchema,
  Attachment: protocol.attachmentSchema,
  ModelOutput: protocol.modelOutputSchema,
  SystemContent: protocol.systemContentSchema,
  Usage: protocol.usageSchema,
  ToolCall: protocol.toolCallSchema,
  ToolResult: protocol.toolResultSchema,
  PlanItem: protocol.planItemSchema,
  ApprovalAction: protocol.approvalActionSchema,
  Question: protocol.questionSchema,
  FileDiff: protocol.fileDiffSchema,
  DiffHunk: protocol.diffHunkSchema,
  DiffLine: protocol.diffLineSchema,
  Report: protocol.reportSchema,
  ErrorInfo: protocol.errorInfoSchema,
  Session: protocol.sessionSchema,
  SessionStats: protocol.sessionStatsSchema,
}
const lists: Record<string, z.ZodEnum> = {
  Mode: protocol.modeSchema,
  Effect: protocol.effectSchema,
  FinishReason: protocol.finishReasonSchema,
  Outcome: protocol.outcomeSchema,
  SystemType: protocol.systemTypeSchema,
  ApprovalScope: protocol.approvalScopeSchema,
  ModelErrorCode: protocol.modelErrorCodeSchema,
  ToolErrorCode: protocol.toolErrorCodeSchema,
  ErrorCode: protocol.errorCodeSchema,
}
const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({ ...named, ...lists })) names.add(schema, { id })

/** Every event, operation and message field, from the schemas. */
export function protocolPage(): string {
  return `${generated('src/protocol/')}
# Protocol

Operations go in, events come out; nothing else does. The same events feed the terminal, \`run --output jsonl\` (one JSON object a line)
and every other reader. \`?\` means optional.

## Events

Each event also has the fields of its envelope:

${fieldTable(jsonSchema(protocol.eventEnvelopeSchema))}

Deltas (${[...droppableEvents].map(code).join(', ')}) may be dropped for a slow reader, everything else may not. Text, reasoning and
tool output come as start / delta / end.

${table(
  ['event', 'meaning', 'fields'],
  options(protocol.eventBodySchema).map(({ type, fields }) => [
    code(type),
    eventWords[type as keyof typeof eventWords],
    fields,
  ]),
)}

## Operations

${table(
  ['operation', 'meaning', 'fields'],
  options(protocol.operationSchema).map(({ type, fields }) => [
    code(type),
    operationWords[type as keyof typeof operationWords],
    fields,
  ]),
)}

## Types

${Object.entries(named)
  .map(([id, schema]) => `### ${id}\n\n${typeWords[id as keyof typeof typeWords]}\n\n${fieldTable(jsonSchema(schema))}`)
  .join('\n\n')}

## Closed lists

${table(
  ['name', 'values'],
  Object.entries(lists).map(([id, schema]) => [id, schema.options.map((value) => code(String(value))).join(' ')]),
)}
`
}

function jsonSchema(schema: z.ZodType): Schema {
  const made = z.toJSONSchema(schema, { metadata: names, unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>
  }
  // A named schema asked for itself is given as a reference to itself.
  return made.$ref === undefined ? made : made.$defs![made.$ref.split('/').at(-1)!]!
}

function options(union: z.ZodDiscriminatedUnion): { type: string; fields: string }[] {
  return union.options.map((option) => {
    const schema = jsonSchema(option as z.ZodType)
    const { type, ...rest } = schema.properties!
    return { type: String(type!.const), fields: fieldList({ ...schema, properties: rest }) }
  })
}

function fieldList({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => code(`${name}${required.includes(name) ? '' : '?'}: ${typeText(schema)}`))
    .join(', ')
}

function fieldTable({ properties = {}, required = [] }: Schema): string {
  return table(
    ['field', 'type'],
    Object.entries(properties).map(([name, schema]) => [
      code(`${name}${required.includes(name) ? '' : '?'}`),
      code(typeText(schema)),
    ]),
  )
}
