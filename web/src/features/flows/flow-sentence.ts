import { inWords, spaced } from '#lib/in-words.ts'
import { many } from '#lib/numbers.ts'
/** A definition as people read it: when, if, then. The server decides what is allowed in it. */
export interface Definition {
  readonly trigger: {
    readonly kind: string
    readonly eventTypes?: readonly string[]
    readonly cron?: string
    readonly zone?: string
    /** Of a query, on assets. */
    readonly condition?: string
    readonly on?: string
    readonly per?: string
    readonly signature?: string
    /** Of a manual or webhook trigger: types of values by name. */
    readonly fields?: Readonly<Record<string, string>>
  }
  readonly condition?: string
  readonly coolDownMinutes?: number
  readonly steps: readonly Step[]
}

export interface Step {
  readonly action: string
  readonly name?: string
  readonly minutes?: number
  /** Of for_each: the path of a list. */
  readonly list?: string
  /** Of wait_for_approval: the name of the step that asked. */
  readonly request?: string
  readonly condition?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly steps?: readonly Step[]
  readonly otherwise?: readonly Step[]
}

const EVENTS: Readonly<Record<string, string>> = {
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

export function triggerSentence({
  kind,
  eventTypes = [],
  cron = '',
  zone = '',
  condition = '',
  on,
}: Definition['trigger']): string {
  if (kind === 'event') return `When ${eventTypes.map((type) => EVENTS[type] ?? type).join(' or ')}`
  if (kind === 'schedule') return `At ${cron} (${zone})`
  if (kind === 'query')
    return on === 'leave'
      ? `When an asset matches no more ${condition}`
      : `When an asset begins to match ${condition}`
  if (kind === 'webhook') return 'When another system asks'
  return 'When somebody starts it'
}

/** Why a run began, for the middle of a sentence. */
export function causeText({
  cause,
  startedByName = null,
}: {
  readonly cause: string
  readonly startedByName?: string | null
}): string {
  if (cause === 'manual') return startedByName === null ? 'started by hand' : `started by ${startedByName}`
  if (cause === 'schedule') return 'started by its schedule'
  if (cause === 'query') return 'started by a change of what matches'
  if (cause === 'webhook') return 'started by another system'
  return `started because ${EVENTS[cause] ?? cause}`
}

export function stepSentence(step: Step): string {
  const { with: settings = {} } = step
  const text = (name: string): string => String(settings[name] as string | number | boolean)
  switch (step.action) {
    case 'add_tags':
      return `Add the tags ${listOf(settings['tags'])}`
    case 'remove_tags':
      return `Remove the tags ${listOf(settings['tags'])}`
    case 'set_field':
      return `Set ${text('field')} to “${text('value')}”`
    case 'set_record': {
      const field = inWords(text('field'))
      return `Set ${field} to “${text('value')}”`
    }
    case 'set_weight':
      return `Set ${Object.entries(settings)
        .map(([name, value]) => `${inWords(name)} to ${inWords(String(value as string))}`)
        .join(' and ')}`
    case 'start_scan':
      return `Start a scan (${text('type')})`
    case 'run_report':
      return 'Generate a report'
    case 'send_notice': {
      const to = listOf(settings['to'])
      return to === 'me' ? `Tell me: ${text('subject')}` : `Tell ${to}: ${text('subject')}`
    }
    case 'archive':
      return 'Archive the asset'
    case 'suggest_merge':
      return settings['same']
        ? `Suggest a merge with assets of the same ${inWords(text('same'))}`
        : 'Suggest a merge'
    case 'request_approval':
      return `Ask for approval: ${text('question')}`
    case 'wait_for_approval':
      return 'Wait for the answer'
    case 'for_each':
      return `For each of ${step.list ?? ''}`
    case 'http_request':
      return `Send an HTTP request to ${text('url')}`
    case 'wait':
      return `Wait ${waited(step.minutes ?? 0)}`
    case 'stop':
      return 'Stop'
    case 'if':
      return `If ${step.condition ?? ''}`
    default:
      return spaced(step.action)
  }
}

const listOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '')

/** A whole number of days or hours, else minutes. */
export function waited(minutes: number): string {
  if (minutes % 1_440 === 0) return many(minutes / 1_440, 'day')
  return minutes % 60 === 0 ? many(minutes / 60, 'hour') : many(minutes, 'minute')
}
