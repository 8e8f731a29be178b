import { catalogue, type EventType } from '#features/events/events.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import { ofPart, type Field, type FieldType, type Row, type Vocabulary } from '#platform/conditions/field.ts'
import type { Ctx } from '#platform/context.ts'
import { unreachable } from '#platform/errors.ts'
import type { InputFields, Trigger } from '../flow.ts'

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

/** What conditions of a flow are asked of. */
export interface FlowRow extends Row {
  /** The payload of the event that started it; empty for other triggers. */
  readonly event: Readonly<Record<string, unknown>>
  /** The asset that it is about, as conditions on assets read it; undefined when it is about none. */
  readonly asset: Row | undefined
}

/**
 * What conditions of a flow may ask: what its trigger says as `event.NAME`, what conditions on assets may ask of the
 * asset as `asset.NAME`, and the asset's collections.
 */
export async function flowVocabulary(ctx: Ctx, trigger: Trigger): Promise<Vocabulary> {
  return vocabularyWith((await ctx.conditions.on(ctx, 'asset')).vocabulary, trigger)
}

/** The same, where it is known already what may be asked of assets. */
export function vocabularyWith(assets: Vocabulary, trigger: Trigger): Vocabulary {
  const asset = ofPart(assets, assetIn)
  return {
    fields: [...triggerFields(trigger), ...asset.fields.map(ofAsset)],
    collections: asset.collections,
  }
}

const assetIn = (row: Row): Row => (row as FlowRow).asset ?? {}

const ofAsset = (field: Field): Field => ({
  ...field,
  name: `asset.${field.name}`,
  ...(field.aliases && { aliases: field.aliases.map((alias) => `asset.${alias}`) }),
})

/** Whether the asset has to be read before the condition can be decided. */
export function asksAboutAsset(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(asksAboutAsset)
    case 'not':
      return asksAboutAsset(condition.part)
    case 'compare':
    case 'in':
    case 'has':
      return condition.field.name.startsWith('asset.')
    case 'any':
    case 'no':
    case 'count':
    case 'named':
      return true
    case 'word':
      return true
    default:
      return unreachable(condition)
  }
}

/** What a trigger says, as fields `event.NAME`. */
export function triggerFields(trigger: Trigger): Field[] {
  switch (trigger.kind) {
    case 'event':
      return eventFields(trigger.eventTypes)
    case 'schedule':
      return [inputField('due_at', 'instant')]
    case 'query':
      return trigger.per === 'batch'
        ? [inputField('move', 'text'), inputField('count', 'number')]
        : [inputField('move', 'text'), inputField('asset_id', 'text'), inputField('asset_name', 'text')]
    case 'manual':
    case 'webhook':
      return inputFields(trigger.fields ?? {})
    default:
      return unreachable(trigger)
  }
}

const inputFields = (fields: InputFields): Field[] =>
  Object.entries(fields).map(([name, type]) => inputField(name, type))

const inputField = (name: string, type: FieldType): Field => ({
  name: `event.${name}`,
  type,
  sentence: `${name.replaceAll('_', ' ')}, as it was given`,
  source: 'what starts the flow',
  read: ({ event }: Row) => present((event as Record<string, unknown> | undefined)?.[name]),
})

function eventFields(types: readonly EventType[]): Field[] {
  const fields = new Map<string, Field>()
  for (const type of types) {
    for (const [name, schema] of Object.entries(catalogue[type].payload.properties)) {
      const field = fieldOf(name, schema as JsonSchema)
      if (field && name !== 'tenant_id') fields.set(name, field)
    }
  }
  return [...fields.values()]
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
