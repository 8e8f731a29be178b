import { inWords } from '#lib/in-words.ts'
import { triggerSentence, waited, type Definition, type Step } from './flow-sentence.ts'

const LENGTH_MAX = 300
/** How many steps of one list are described; the rest is counted. */
const STEPS_MAX = 3
const DETAIL_LENGTH_MAX = 60

/** What each action does, within a sentence. */
const DOINGS: Readonly<Record<string, { readonly does: string }>> = {
  add_tags: { does: 'add tags' },
  archive: { does: 'archive' },
  create_exception: { does: 'except from a check' },
  create_override: { does: 'override findings' },
  create_report: { does: 'create a report' },
  http_request: { does: 'send an HTTP request' },
  remove_tags: { does: 'remove tags' },
  request_approval: { does: 'ask for approval' },
  revive: { does: 'revive' },
  run_report: { does: 'generate a report again' },
  send_notice: { does: 'send a notice' },
  send_webhook: { does: 'send through a webhook' },
  set_attribute: { does: 'set or lock an attribute' },
  set_field: { does: 'set a custom field' },
  set_record: { does: 'record the owner, state or place' },
  set_weight: { does: 'set criticality or exposure' },
  start_scan: { does: 'start a scan' },
  suggest_merge: { does: 'suggest a merge' },
}

/** Settings that hold a word of the server, such as `high`; others hold what people wrote. */
const WORDED: ReadonlySet<string> = new Set([
  'set_record.field',
  'set_weight.criticality',
  'set_weight.exposure',
  'suggest_merge.same',
])

/** A definition as one sentence, at most 300 characters: what the server says in English (`definition/summary.ts`). */
export function flowSummary({ trigger, condition, steps }: Definition): string {
  const when = triggerSentence(trigger)
  const begin = condition ? `${when}, if ${condition}` : when
  return cut(steps.length === 0 ? `${begin}: nothing yet.` : `${begin}: ${thenOf(steps)}.`, LENGTH_MAX)
}

function thenOf(steps: readonly Step[]): string {
  const phrases = steps.slice(0, STEPS_MAX).map(phraseOf)
  const surplus = steps.length - phrases.length
  return [...phrases, ...(surplus > 0 ? [`${surplus} more`] : [])].join(', ')
}

function phraseOf(step: Step): string {
  switch (step.action) {
    case 'if': {
      const { condition = '', steps = [] } = step
      const then = thenOf(steps)
      return `if ${condition} (${then})`
    }
    case 'for_each': {
      const { list = '', steps = [] } = step
      const then = thenOf(steps)
      return `for each of ${list} (${then})`
    }
    case 'wait':
      return `wait ${waited(step.minutes ?? 0)}`
    case 'wait_for_approval':
      return 'wait for the answer'
    case 'stop':
      return STOP.does
    default:
      return actionPhrase(step)
  }
}

const STOP = { does: 'stop' } as const

/** With its first setting that says something. */
function actionPhrase({ action, with: settings = {} }: Step): string {
  const does = DOINGS[action]?.does ?? action
  for (const [name, value] of Object.entries(settings)) {
    const detail = detailOf(value)
    if (detail !== '') return `${does} (${WORDED.has(`${action}.${name}`) ? inWords(detail) : detail})`
  }
  return does
}

/** Of a setting that says something: a text, a number or a list; else empty. */
function detailOf(value: unknown): string {
  if (typeof value === 'string') return cut(value, DETAIL_LENGTH_MAX)
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? cut(value.join(', '), DETAIL_LENGTH_MAX) : ''
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`
