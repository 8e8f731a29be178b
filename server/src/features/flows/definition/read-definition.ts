import { Compile } from 'typebox/compile'
import { eventTypes, isEventType, type EventType } from '#features/events/events.ts'
import { ConditionError } from '#platform/conditions/condition-error.ts'
import type { Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { actions } from '../actions/all.ts'
import type { Action } from '../actions/action.ts'
import { triggerKinds, type Definition, type Step, type Trigger } from '../flow.ts'
import { nextTime } from '../triggers/schedule.ts'
import { flowVocabulary } from './flow-vocabulary.ts'
import { isAction } from './program.ts'
import { parseTemplate } from './template.ts'

const DEPTH_MAX = 3
const STEPS_MAX = 100
const WAIT_MINUTES_MAX = 60 * 24 * 90
const COOL_DOWN_MINUTES_MAX = 60 * 24 * 365
export const RUNS_PER_MINUTE_DEFAULT = 60
const RUNS_PER_MINUTE_MAX = 6_000
const NAME = /^[a-z][a-z0-9_]{0,39}$/
const EVERYWHERE = new Set(['action', 'name', 'with'])

type Given = Readonly<Record<string, unknown>>
interface Reading {
  /** What conditions may ask about. */
  readonly vocabulary: Vocabulary
  readonly names: Set<string>
  count: number
}

/**
 * A definition out of what somebody wrote as JSON. Throws `invalid`, which names the place, for example
 * `steps[1].with.tags`. Whether things that it names exist is found out when a step runs.
 */
export function readDefinition(ctx: Ctx, given: unknown): Definition {
  const source = objectAt('definition', given)
  onlyKnown('definition', source, ['trigger', 'condition', 'coolDownMinutes', 'runsPerMinute', 'steps'])
  const trigger = readTrigger(source['trigger'])
  const vocabulary = flowVocabulary(ctx, trigger.kind === 'event' ? trigger.eventTypes : [])
  const steps = readSteps('steps', source['steps'], { vocabulary, names: new Set(), count: 0 }, 1)
  if (steps.length === 0) throw invalid('steps', 'must hold at least one step')
  return {
    trigger,
    condition: readCondition('condition', source['condition'] ?? '', vocabulary),
    coolDownMinutes: wholeNumber('coolDownMinutes', source['coolDownMinutes'] ?? 0, 0, COOL_DOWN_MINUTES_MAX),
    runsPerMinute: wholeNumber(
      'runsPerMinute',
      source['runsPerMinute'] ?? RUNS_PER_MINUTE_DEFAULT,
      1,
      RUNS_PER_MINUTE_MAX,
    ),
    steps,
  }
}

function readTrigger(given: unknown): Trigger {
  const source = objectAt('trigger', given)
  switch (source['kind']) {
    case 'event': {
      onlyKnown('trigger', source, ['kind', 'eventTypes'])
      const types = source['eventTypes']
      if (!Array.isArray(types) || types.length === 0)
        throw invalid('trigger.eventTypes', 'must be a list of at least one event type')
      return { kind: 'event', eventTypes: [...new Set(types.map(eventType))] }
    }
    case 'schedule': {
      onlyKnown('trigger', source, ['kind', 'cron', 'zone'])
      const cron = textAt('trigger.cron', source['cron'])
      const zone = textAt('trigger.zone', source['zone'] ?? 'UTC')
      nextTime({ cron, zone }, new Date())
      return { kind: 'schedule', cron, zone }
    }
    case 'manual':
      onlyKnown('trigger', source, ['kind'])
      return { kind: 'manual' }
    default:
      throw invalid('trigger.kind', `must be one of ${triggerKinds.join(', ')}`)
  }
}

function eventType(given: unknown): EventType {
  if (typeof given !== 'string' || !isEventType(given))
    throw invalid('trigger.eventTypes', `must hold only ${eventTypes.join(', ')}`)
  return given
}

function readSteps(path: string, given: unknown, reading: Reading, depth: number): Step[] {
  if (!Array.isArray(given)) throw invalid(path, 'must be a list of steps')
  if (depth > DEPTH_MAX) throw invalid(path, `steps lie at most ${DEPTH_MAX} deep in each other`)
  return given.map((step, index) => {
    reading.count += 1
    if (reading.count > STEPS_MAX) throw invalid(path, `a flow has at most ${STEPS_MAX} steps`)
    return readStep(`${path}[${index}]`, objectAt(`${path}[${index}]`, step), reading, depth)
  })
}

function readStep(path: string, source: Given, reading: Reading, depth: number): Step {
  const action = textAt(`${path}.action`, source['action'])
  switch (action) {
    case 'if':
      onlyKnown(path, source, ['action', 'condition', 'steps', 'otherwise'])
      return {
        action,
        condition: readCondition(
          `${path}.condition`,
          textAt(`${path}.condition`, source['condition']),
          reading.vocabulary,
        ),
        steps: readSteps(`${path}.steps`, source['steps'], reading, depth + 1),
        otherwise: readSteps(`${path}.otherwise`, source['otherwise'] ?? [], reading, depth + 1),
      }
    case 'wait':
      onlyKnown(path, source, ['action', 'minutes'])
      return { action, minutes: wholeNumber(`${path}.minutes`, source['minutes'], 1, WAIT_MINUTES_MAX) }
    case 'stop':
      onlyKnown(path, source, ['action'])
      return { action }
    default:
      return readAction(path, source, reading)
  }
}

function readAction(path: string, source: Given, { names }: Reading): Step {
  const action = actions.get(String(source['action']))
  if (!action)
    throw invalid(`${path}.action`, `must be one of if, wait, stop, ${[...actions.keys()].join(', ')}`)
  onlyKnown(path, source, [...EVERYWHERE])
  const settings = objectAt(`${path}.with`, source['with'] ?? {})
  checkSettings(`${path}.with`, action, settings)
  const name = source['name']
  if (name === undefined || name === '') return { action: action.name, with: settings }
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalid(`${path}.name`, 'must be lower-case letters, digits and _, at most 40')
  if (names.has(name)) throw invalid(`${path}.name`, `another step is called ${name}`)
  names.add(name)
  return { action: action.name, name, with: settings }
}

function checkSettings(path: string, action: Action, settings: Given): void {
  onlyKnown(path, settings, Object.keys(action.settings.properties))
  const [fault] = Compile(action.settings).Errors(settings)
  if (fault) {
    const missing = (fault.params as { requiredProperties?: readonly string[] }).requiredProperties?.[0]
    const place = fault.instancePath.replaceAll('/', '.')
    throw invalid(`${path}${place}${missing ? `.${missing}` : ''}`, missing ? 'is required' : fault.message)
  }
  for (const name of action.templates) {
    const texts = [settings[name] ?? []].flat() as unknown as readonly string[]
    texts.forEach((text) => checkTemplate(`${path}.${name}`, text))
  }
}

function checkTemplate(path: string, text: string): void {
  try {
    parseTemplate(text)
  } catch (error) {
    throw invalid(path, (error as Error).message)
  }
}

function readCondition(path: string, given: unknown, vocabulary: Vocabulary): string {
  if (typeof given !== 'string') throw invalid(path, 'must be a text')
  if (given.trim() === '') return ''
  try {
    parseCondition(given, vocabulary)
  } catch (error) {
    if (error instanceof ConditionError) throw invalid(path, error.message)
    throw error
  }
  return given.trim()
}

function objectAt(path: string, given: unknown): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(path, 'must be an object')
  return given as Given
}

function textAt(path: string, given: unknown): string {
  if (typeof given !== 'string' || given.trim() === '') throw invalid(path, 'must be a text')
  return given.trim()
}

function wholeNumber(path: string, given: unknown, least: number, most: number): number {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < least || given > most)
    throw invalid(path, `must be a whole number from ${least} to ${most}`)
  return given
}

function onlyKnown(path: string, source: Given, known: readonly string[]): void {
  const stranger = Object.keys(source).find((name) => !known.includes(name))
  if (stranger !== undefined) throw invalid(`${path}.${stranger}`, `is none of ${known.join(', ')}`)
}

/** Every action that the steps may come to, however deep. */
export const actionsOf = (steps: readonly Step[]): Action[] =>
  steps.flatMap((step) => {
    if (isAction(step)) return [actions.get(step.action)].filter((it) => it !== undefined)
    return step.action === 'if' ? [...actionsOf(step.steps), ...actionsOf(step.otherwise)] : []
  })
