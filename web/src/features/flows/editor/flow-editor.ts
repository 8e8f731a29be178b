import type { FlowCatalogueData } from '#api/generated/editor.ts'
import type { TestFlowDraftData } from '#api/generated/editor.ts'
import { zone } from '#lib/dates.ts'
import type { Definition, Step } from '../flow-sentence.ts'

export type ActionInfo = FlowCatalogueData['flowActions'][number]
export type FieldInfo = ActionInfo['fields'][number]

export type Tested = TestFlowDraftData['testFlow']

/** What every part of the editor works on. */
export interface FlowEditor {
  readonly definition: Definition
  readonly catalogue: FlowCatalogueData
  /** Names of values of the trigger, such as event.cve_id. */
  readonly triggerFields: readonly string[]
  /** From what it is by then: a field may tell of its change after another one has changed. */
  readonly change: (to: Definition | ((now: Definition) => Definition)) => void
  /** What the server finds wrong at this place. */
  readonly faultAt: (place: string) => string | undefined
  /** What the last test run of this definition said. */
  readonly tested: Tested | undefined
}

/** What a flow begins with that nobody has written yet. */
export const NEW_DEFINITION: Definition = {
  trigger: { kind: 'query', condition: '', on: 'enter', per: 'asset' },
  condition: '',
  steps: [],
}

/** A trigger of that kind with what it needs at least. */
export function newTrigger(kind: string): Definition['trigger'] {
  switch (kind) {
    case 'event':
      return { kind, eventTypes: ['NEW_ASSET'] }
    case 'query':
      return { kind, condition: '', on: 'enter', per: 'asset' }
    case 'schedule':
      return { kind, cron: '0 8 * * 1', zone: zone() }
    case 'webhook':
      return { kind, signature: 'none' }
    default:
      return { kind }
  }
}

/** Ways through the steps, beside the actions of the server. */
export const CONTROLS: readonly { readonly name: string; readonly label: string; readonly step: Step }[] = [
  {
    name: 'if',
    label: 'If … then … otherwise',
    step: { action: 'if', condition: '', steps: [], otherwise: [] },
  },
  {
    name: 'for_each',
    label: 'For each of a list',
    step: { action: 'for_each', list: 'event.asset_ids', steps: [] },
  },
  { name: 'wait', label: 'Wait', step: { action: 'wait', minutes: 60 } },
  {
    name: 'wait_for_approval',
    label: 'Wait for approval',
    step: { action: 'wait_for_approval', request: '', otherwise: [] },
  },
  { name: 'stop', label: 'Stop', step: { action: 'stop' } },
]

/** Settings that most people would write. */
const USUAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  send_notice: { to: ['me'], subject: '{{asset.name}} needs attention' },
}

export function newStep(action: ActionInfo): Step {
  const required = action.fields.filter(({ isRequired }) => isRequired)
  const empty = Object.fromEntries(required.map((field) => [field.name, emptyOf(field)]))
  return { action: action.name, with: { ...empty, ...USUAL[action.name] } }
}

function emptyOf({ type, values, min }: FieldInfo): unknown {
  switch (type) {
    case 'list':
      return []
    case 'map':
      return {}
    case 'number':
      return min ?? 1
    case 'boolean':
      return false
    case 'choice':
      return values[0] ?? ''
    default:
      return ''
  }
}

/** Of one step: what shows its settings. */
export interface StepFieldsProps {
  readonly editor: FlowEditor
  readonly path: string
  readonly step: Step
  readonly onChange: (step: Step) => void
}
