import { catalogue, type EventKind, type EventType } from '#features/events/events.ts'
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
  /** What the event tells of the asset before the change; undefined: nothing. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  /** The asset that it is about, as conditions on assets read it; undefined when it is about none. */
  readonly asset: Row | undefined
}

/**
 * What conditions of a flow may ask: what its trigger says as `event.NAME`, what conditions on assets may ask of the
 * asset as `asset.NAME` or as there, what events tell of it before the change as `before.NAME`, and the asset's
 * collections.
 */
export async function flowVocabulary(ctx: Ctx, trigger: Trigger): Promise<Vocabulary> {
  return vocabularyWith((await ctx.conditions.on(ctx, 'asset')).vocabulary, trigger)
}

/** The same, where it is known already what may be asked of assets. */
export function vocabularyWith(assets: Vocabulary, trigger: Trigger): Vocabulary {
  const asset = ofPart(assets, assetIn)
  return {
    fields: [
      ...triggerFields(trigger),
      ...beforeFields(assets.fields, trigger),
      ...asset.fields.map(ofAsset),
    ],
    collections: asset.collections,
    ...(asset.search && { search: asset.search }),
  }
}

const assetIn = (row: Row): Row => (row as FlowRow).asset ?? {}

/** Its name among assets is read as well, so that a condition of a saved view or a check can be pasted. */
function ofAsset(field: Field): Field {
  const names = [field.name, ...(field.aliases ?? [])]
  const [name = '', ...aliases] = names.map((it) => `asset.${it}`)
  return { ...field, name, aliases: [...aliases, ...names] }
}

/** Those of the asset that some of the trigger's events tell as they were before the change; unknown where one does not. */
function beforeFields(fields: readonly Field[], trigger: Trigger): Field[] {
  if (trigger.kind !== 'event') return []
  const told = new Set(trigger.eventTypes.flatMap((type) => beforeOf(type)))
  return fields
    .filter(({ name }) => told.has(name) || (told.has('custom') && name.startsWith('custom.')))
    .map(({ name, aliases, type, isList, unit, values, sentence }) => ({
      name: `before.${name}`,
      type,
      ...(aliases && { aliases: aliases.map((alias) => `before.${alias}`) }),
      ...(isList && { isList }),
      ...(unit !== undefined && { unit }),
      ...(values && { values }),
      sentence: `Before the change: ${sentence}`,
      source: 'the event that starts the flow, where it tells it',
      read: (row) => beforeIn(row, [name, ...(aliases ?? [])]),
    }))
}

const beforeOf = (type: EventType): readonly string[] => (catalogue[type] as EventKind).before ?? []

/** An event from before a custom field got its present name tells it under the earlier one. */
function beforeIn(row: Row, names: readonly string[]): unknown {
  const { before = {} } = row as Partial<FlowRow>
  const values = names.map((name) => {
    const [first = '', key] = name.split('.')
    return key === undefined ? before[first] : (before[first] as Record<string, unknown> | undefined)?.[key]
  })
  return present(values.find((value) => value !== undefined))
}

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
