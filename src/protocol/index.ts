// The words of codehound: operations in, events out, messages, tool calls, errors. Schemas and types only, no logic.
// Import types with `import type`: it costs nothing at run time; the schemas pull in zod.
export * from './diff.ts'
export * from './error.ts'
export * from './event.ts'
export * from './message.ts'
export * from './operation.ts'
export * from './report.ts'
export * from './session.ts'
export * from './tool-call.ts'
