import { z } from 'zod'
import { configSchema } from './schema.ts'

/** Makes the JSON Schema of a configuration file, as published and as the program validates by. */
export function makeJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, { io: 'input', target: 'draft-2020-12' })
  return { title: 'Configuration of codehound', ...schema }
}
