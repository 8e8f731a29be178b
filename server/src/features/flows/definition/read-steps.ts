import { Compile } from 'typebox/compile'
import type { Vocabulary } from '#platform/conditions/field.ts'
import { invalid } from '#platform/errors.ts'
import { actions } from '../actions/all.ts'
import type { Action } from '../actions/action.ts'
import { REQUEST_APPROVAL } from '../approvals/approval.ts'
import type { Step } from '../flow.ts'
import { readCondition } from './read-condition.ts'
import { objectAt, onlyKnown, textAt, wholeNumber, type Given } from './read-value.ts'
import { parseTemplate, PATH_IN_LIST } from './template.ts'

/** How deep `if` and `for_each` may lie in each other. */
const DEPTH_MAX = 3
const STEPS_MAX = 100
const WAIT_MINUTES_MAX = 60 * 24 * 90
const NAME = /^[a-z][a-z0-9_]{0,39}$/
const WAYS = ['if', 'for_each', 'wait', 'wait_for_approval', 'stop']

interface Reading {
  /** What conditions may ask about. */
  readonly vocabulary: Vocabulary
  /** Of steps so far, each with its action. */
  readonly names: Map<string, string>
  readonly note: Note | undefined
  count: number
}

/** Takes what would be thrown. */
export type Note = (error: unknown) => void

/** What `read` answers, or `otherwise` when something is wrong and `note` takes it. */
export function noting<T>(note: Note | undefined, otherwise: T, read: () => T): T {
  if (!note) return read()
  try {
    return read()
  } catch (error) {
    note(error)
    return otherwise
  }
}

/** Throws `invalid`, which names the place, for example `steps[1].with.tags`, unless `note` takes it. */
export function readSteps(given: unknown, vocabulary: Vocabulary, note?: Note): Step[] {
  return readList('steps', given, { vocabulary, names: new Map(), note, count: 0 }, 0)
}

function readList(path: string, given: unknown, reading: Reading, depth: number): Step[] {
  if (!Array.isArray(given)) throw invalid(path, 'must be a list of steps')
  if (depth > DEPTH_MAX) throw invalid(path, `if and for_each lie at most ${DEPTH_MAX} deep in each other`)
  return given.map((step, index) => {
    reading.count += 1
    if (reading.count > STEPS_MAX) throw invalid(path, `a flow has at most ${STEPS_MAX} steps`)
    const place = `${path}[${index}]`
    return noting<Step>(reading.note, { action: 'stop' }, () =>
      readStep(place, objectAt(place, step), reading, depth),
    )
  })
}

function readStep(path: string, source: Given, reading: Reading, depth: number): Step {
  const action = textAt(`${path}.action`, source['action'])
  const inside = (name: 'steps' | 'otherwise', given: unknown) =>
    readList(`${path}.${name}`, given, reading, depth + 1)
  switch (action) {
    case 'if': {
      onlyKnown(path, source, ['action', 'condition', 'steps', 'otherwise'])
      const condition = textAt(`${path}.condition`, source['condition'])
      return {
        action,
        condition: readCondition(`${path}.condition`, condition, reading.vocabulary),
        steps: inside('steps', source['steps']),
        otherwise: inside('otherwise', source['otherwise'] ?? []),
      }
    }
    case 'for_each':
      onlyKnown(path, source, ['action', 'list', 'steps'])
      return {
        action,
        list: pathAt(`${path}.list`, source['list']),
        steps: inside('steps', source['steps']),
      }
    case 'wait':
      onlyKnown(path, source, ['action', 'minutes'])
      return { action, minutes: wholeNumber(`${path}.minutes`, source['minutes'], 1, WAIT_MINUTES_MAX) }
    case 'wait_for_approval': {
      onlyKnown(path, source, ['action', 'request', 'otherwise'])
      const request = textAt(`${path}.request`, source['request'])
      if (reading.names.get(request) !== REQUEST_APPROVAL)
        throw invalid(`${path}.request`, `must be the name of an earlier step ${REQUEST_APPROVAL}`)
      return { action, request, otherwise: inside('otherwise', source['otherwise'] ?? []) }
    }
    case 'stop':
      onlyKnown(path, source, ['action'])
      return { action }
    default:
      return readAction(path, source, reading)
  }
}

function pathAt(path: string, given: unknown): string {
  const text = textAt(path, given)
  if (!PATH_IN_LIST.test(text))
    throw invalid(path, 'must be the path of a list, such as event.asset_ids or steps.found.items')
  return text
}

function readAction(path: string, source: Given, { names }: Reading): Step {
  const action = actions.get(String(source['action']))
  if (!action) throw invalid(`${path}.action`, `must be one of ${[...WAYS, ...actions.keys()].join(', ')}`)
  onlyKnown(path, source, ['action', 'name', 'with'])
  const settings = objectAt(`${path}.with`, source['with'] ?? {})
  checkSettings(`${path}.with`, action, settings)
  const name = source['name']
  if (name === undefined || name === '') {
    if (action.name === REQUEST_APPROVAL)
      throw invalid(`${path}.name`, 'is required: the step that waits names it')
    return { action: action.name, with: settings }
  }
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalid(`${path}.name`, 'must be lower-case letters, digits and _, at most 40')
  if (names.has(name)) throw invalid(`${path}.name`, `another step is called ${name}`)
  names.set(name, action.name)
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
  for (const name of action.templates) checkTemplates(`${path}.${name}`, settings[name])
}

/** Texts may stand alone, in a list, or as the values of an object. */
function checkTemplates(path: string, given: unknown): void {
  const texts = typeof given === 'object' && given !== null ? Object.values(given) : [given]
  for (const text of texts) if (typeof text === 'string') checkTemplate(path, text)
}

function checkTemplate(path: string, text: string): void {
  try {
    parseTemplate(text)
  } catch (error) {
    throw invalid(path, (error as Error).message)
  }
}
