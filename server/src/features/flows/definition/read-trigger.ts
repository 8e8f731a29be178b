import { eventTypes, isEventType, type EventType } from '#features/events/events.ts'
import { fieldTypes, type FieldType } from '#platform/conditions/field.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { hookSignatures, queryMoves, triggerKinds, type InputFields, type Trigger } from '../flow.ts'
import { nextTime } from '../triggers/schedule.ts'
import { readCondition } from './read-condition.ts'
import { objectAt, oneOf, onlyKnown, textAt, type Given } from './read-value.ts'

const FIELDS_MAX = 50
const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/

/** Throws `invalid`, which names the place, for example `trigger.cron`. */
export async function readTrigger(ctx: Ctx, given: unknown): Promise<Trigger> {
  const source = objectAt('trigger', given)
  const kind = oneOf('trigger.kind', source['kind'], triggerKinds)
  onlyKnown('trigger', source, ['kind', ...settings[kind]])
  switch (kind) {
    case 'event':
      return { kind, eventTypes: eventTypesIn(source['eventTypes']) }
    case 'schedule': {
      const cron = textAt('trigger.cron', source['cron'])
      const zone = textAt('trigger.zone', source['zone'] ?? 'UTC')
      nextTime({ cron, zone }, new Date())
      return { kind, cron, zone }
    }
    case 'manual':
      return { kind, ...fieldsIn(source) }
    case 'webhook': {
      const signature = oneOf('trigger.signature', source['signature'] ?? 'none', hookSignatures)
      return { kind, signature, ...fieldsIn(source) }
    }
    case 'query': {
      const { vocabulary } = await ctx.conditions.on(ctx, 'asset')
      const condition = textAt('trigger.condition', source['condition'])
      return {
        kind,
        condition: readCondition('trigger.condition', condition, vocabulary),
        on: oneOf('trigger.on', source['on'] ?? 'enter', queryMoves),
        per: oneOf('trigger.per', source['per'] ?? 'asset', ['asset', 'batch']),
      }
    }
  }
}

const settings = {
  event: ['eventTypes'],
  schedule: ['cron', 'zone'],
  manual: ['fields'],
  webhook: ['signature', 'fields'],
  query: ['condition', 'on', 'per'],
} as const

function eventTypesIn(given: unknown): EventType[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalid('trigger.eventTypes', 'must be a list of at least one event type')
  const types = given.map((type: unknown) => {
    if (typeof type !== 'string' || !isEventType(type))
      throw invalid('trigger.eventTypes', `must hold only ${eventTypes.join(', ')}`)
    return type
  })
  return [...new Set(types)]
}

function fieldsIn(source: Given): { readonly fields?: InputFields } {
  if (source['fields'] === undefined) return {}
  const given = Object.entries(objectAt('trigger.fields', source['fields']))
  if (given.length > FIELDS_MAX) throw invalid('trigger.fields', `must be at most ${FIELDS_MAX}`)
  const fields = given.map(([name, type]): [string, FieldType] => {
    if (!FIELD_NAME.test(name))
      throw invalid(`trigger.fields.${name}`, 'must be named by lower-case letters, digits and _, at most 40')
    return [name, oneOf(`trigger.fields.${name}`, type, fieldTypes)]
  })
  return { fields: Object.fromEntries(fields) }
}
