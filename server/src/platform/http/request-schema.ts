/** A JSON schema, as endpoints declare it and as the OpenAPI document contains it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A keyword of our own: constraints for the OpenAPI document that the router does not check, because the use case checks
 * them with an error message or code of its own. In the document they replace the keywords of the same name.
 */
export const DOCUMENTED_AS = 'documentedAs'

/** Text that PostgreSQL stores: no NUL. Lone surrogates are refused too, which no pattern can express. */
const STORABLE = String.raw`^[^\u0000]*$`

const ANY_VALUE = '#/components/schemas/AnyValue'

/** Any value of a request's body: as `readJsonBody` takes it. */
export const anyValueSchema: JsonSchema = {
  description: 'Any JSON value, nested at most 64 levels deep, without NUL in any text or name.',
  anyOf: [
    { type: ['null', 'boolean'] },
    { type: 'number', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    { type: 'string', pattern: STORABLE },
    { type: 'array', items: { $ref: ANY_VALUE } },
    {
      type: 'object',
      propertyNames: { pattern: STORABLE },
      additionalProperties: { $ref: ANY_VALUE },
    },
  ],
}

/** Whether the verb refuses a request without the parameter, though the router does not. */
export const isNeeded = (declared: JsonSchema): boolean =>
  (declared[DOCUMENTED_AS] as JsonSchema | undefined)?.['isRequired'] === true

/** The schema of a parameter, which is always a text. */
export function parameterSchema(declared: JsonSchema): JsonSchema {
  const schema = documented(declared)
  const isOpen = !['type', 'anyOf', 'enum', 'const'].some((keyword) => keyword in schema)
  return storable(isOpen ? { type: 'string', ...schema } : schema)
}

/** The schema of a body or of a part of it: as strict as whatever reads it. */
export function bodySchema(declared: JsonSchema): JsonSchema {
  const { patternProperties: _, ...schema } = documented(declared)
  const { type, items, anyOf } = schema
  if (type === 'object') return objectSchema(schema)
  if (type === 'array') return { ...schema, items: bodySchema((items ?? {}) as JsonSchema) }
  if (type !== undefined || 'enum' in schema || 'const' in schema) return storable(schema)
  if (anyOf !== undefined) return { ...schema, anyOf: (anyOf as JsonSchema[]).map(bodySchema) }
  return { ...schema, $ref: ANY_VALUE }
}

function objectSchema({
  properties = {},
  additionalProperties,
  propertyNames = { pattern: STORABLE },
  ...schema
}: JsonSchema): JsonSchema {
  const parts = Object.entries(properties as object).map(
    ([name, part]) => [name, bodySchema(part as JsonSchema)] as const,
  )
  return {
    ...schema,
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
    propertyNames,
    additionalProperties: additionalProperties ?? { $ref: ANY_VALUE },
  }
}

function documented(declared: JsonSchema): JsonSchema {
  const { [DOCUMENTED_AS]: more, ...schema } = declared
  const whole = { ...schema, ...(more as JsonSchema | undefined), isRequired: undefined }
  // undefined takes a keyword away
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined))
}

function storable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema['anyOf']))
    return { ...schema, anyOf: (schema['anyOf'] as JsonSchema[]).map(storable) }
  const isBound = ['pattern', 'format', 'enum', 'const'].some((keyword) => keyword in schema)
  return schema['type'] === 'string' && !isBound && schema['maxLength'] !== 0
    ? { ...schema, pattern: STORABLE }
    : schema
}
