import type { JsonSchema } from '../http/request-schema.ts'

/**
 * Of a body or query that was checked by the schema, the fields that it declares. Unknown ones are ignored, so they must
 * not reach a verb that has an optional input of that name, which nobody checked. What is in a union stays as it is, as does
 * an object of which nothing is declared.
 */
export function declaredFields(schema: JsonSchema, value: unknown): unknown {
  const { properties = {}, items, additionalProperties, patternProperties } = schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((it) => declaredFields(items as JsonSchema, it))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
  if (parts.length === 0 || additionalProperties || patternProperties !== undefined) return value
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    parts
      .filter(([name]) => Object.hasOwn(given, name))
      .map(([name, part]) => [name, declaredFields(part, given[name])]),
  )
}
