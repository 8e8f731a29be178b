import { actions } from '../actions/all.ts'
import type { EventType } from '#features/events/events.ts'
import { unreachable } from '#platform/errors.ts'
import type { Definition, Step, Trigger } from '../flow.ts'

const LENGTH_MAX = 300
/** How many steps of one list are described; the rest is counted. */
const STEPS_MAX = 3
const DETAIL_LENGTH_MAX = 60

const HAPPENINGS: Readonly<Record<EventType, string>> = {
  NEW_ASSET: 'an asset is discovered',
  UPDATED_ASSET: 'an asset is updated',
  DELETED_ASSET: 'an asset is deleted',
  NEW_SOURCE: 'a source is connected',
  EXPORT_COMPLETED: 'an export is completed',
  UNLINK: 'an asset is separated',
  SCAN_COMPLETED: 'a scan is completed',
  VULNERABILITY_FOUND: 'a vulnerability is found',
  COMPLIANCE_UPDATED: 'the status of a control changes',
  FLOW_TRIGGERED: 'a flow starts',
}

/** A definition as one sentence: when, if, then. At most 300 characters. */
export function summaryOf({ trigger, condition, steps }: Definition): string {
  const begin = whenOf(trigger) + (condition === '' ? '' : `, if ${condition}`)
  return cut(steps.length === 0 ? `${begin}: nothing yet.` : `${begin}: ${thenOf(steps)}.`, LENGTH_MAX)
}

function whenOf(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'event':
      return `When ${trigger.eventTypes.map((type) => HAPPENINGS[type]).join(' or ')}`
    case 'query':
      return `When an asset ${trigger.on === 'leave' ? 'matches no more' : 'begins to match'} ${trigger.condition}`
    case 'schedule':
      return `At ${trigger.cron} (${trigger.zone})`
    case 'webhook':
      return 'When another system asks'
    case 'manual':
      return 'When somebody starts it'
    default:
      return unreachable(trigger)
  }
}

function thenOf(steps: readonly Step[]): string {
  const phrases = steps.slice(0, STEPS_MAX).map(phraseOf)
  const surplus = steps.length - phrases.length
  return [...phrases, ...(surplus > 0 ? [`${surplus} more`] : [])].join(', ')
}

function phraseOf(step: Step): string {
  if ('condition' in step) return `if ${step.condition} (${thenOf(step.steps)})`
  if ('list' in step) return `for each of ${step.list} (${thenOf(step.steps)})`
  if ('minutes' in step) return `wait ${waited(step.minutes)}`
  if ('request' in step) return 'wait for the answer'
  if (!('with' in step)) return 'stop'
  const label = actions.get(step.action)?.label ?? step.action
  const detail = detailOf(step.with)
  return label.charAt(0).toLowerCase() + label.slice(1) + (detail === '' ? '' : ` (${detail})`)
}

/** The first setting that says something: a text, a number or a list. */
function detailOf(settings: Readonly<Record<string, unknown>>): string {
  for (const value of Object.values(settings)) {
    if (typeof value === 'string' && value !== '') return cut(value, DETAIL_LENGTH_MAX)
    if (typeof value === 'number') return String(value)
    if (Array.isArray(value) && value.length > 0) return cut(value.join(', '), DETAIL_LENGTH_MAX)
  }
  return ''
}

const UNITS = [
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const

function waited(minutes: number): string {
  const [size, unit] = UNITS.find(([it]) => minutes % it === 0) ?? [1, 'minute']
  const amount = minutes / size
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`
