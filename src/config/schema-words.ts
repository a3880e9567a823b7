/** The part of JSON Schema that zod makes of our schemas. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  prefixItems?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  required?: readonly string[]
}

/** A schema as a reader of TypeScript would write it: `"a" | "b"`, `string[]`, `{ path: string, line?: integer }`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.map(typeText).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  switch (schema.type) {
    case 'array':
      return arrayText(schema)
    case 'object':
      return objectText(schema)
    case undefined:
      return 'any'
    default:
      return schema.type
  }
}

function arrayText({ items, prefixItems }: Schema): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeText).join(', ')}]`
  const item = typeText(items ?? {})
  const isUnion = items?.$ref === undefined && (items?.anyOf ?? items?.oneOf ?? items?.enum) !== undefined
  return isUnion ? `(${item})[]` : `${item}[]`
}

function objectText({ properties, additionalProperties, required = [] }: Schema): string {
  if (properties === undefined)
    return typeof additionalProperties === 'object' ? `{ [name]: ${typeText(additionalProperties)} }` : 'object'
  const fields = Object.entries(properties).map(
    ([name, inner]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(inner)}`,
  )
  return `{ ${fields.join(', ')} }`
}
