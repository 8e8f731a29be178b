import { catalogue, eventTypes, type EventType } from '#features/events/events.ts'
import type { Field, FieldType, Row, Vocabulary } from '#platform/conditions/field.ts'

interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
}

const TYPES: Readonly<Record<string, FieldType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'bool',
}

/** What conditions of a flow may ask of the events that start it: their payload fields as `event.NAME`. */
export function eventVocabulary(types: readonly EventType[] = eventTypes): Vocabulary {
  const fields = new Map<string, Field>()
  for (const type of types) {
    for (const [name, schema] of Object.entries(catalogue[type].payload.properties)) {
      const field = fieldOf(name, schema as JsonSchema)
      if (field && name !== 'tenant_id') fields.set(name, field)
    }
  }
  return { fields: [...fields.values()], collections: [] }
}

/** Undefined for what has no values to compare, such as objects. */
function fieldOf(name: string, schema: JsonSchema): Field | undefined {
  const isList = schema.type === 'array'
  const item = isList ? (schema.items ?? {}) : schema
  const values = item.anyOf?.flatMap((it) => (typeof it.const === 'string' ? [it.const] : []))
  const kind = values || typeof item.const === 'string' ? 'string' : item.type
  const type = item.format === 'date-time' ? 'instant' : TYPES[kind ?? '']
  if (!type) return undefined
  return {
    name: `event.${name}`,
    type,
    ...(isList && { isList }),
    ...(values && { values }),
    sentence: `${name.replaceAll('_', ' ')} as the event says it`,
    source: 'the event that starts the flow',
    read: ({ event }: Row) => present((event as Record<string, unknown> | undefined)?.[name]),
  }
}

/** The contract writes an empty text for what was not collected. */
const present = (value: unknown): unknown => (value === '' ? undefined : value)
