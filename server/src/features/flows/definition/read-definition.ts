import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { actions } from '../actions/all.ts'
import type { Action } from '../actions/action.ts'
import { concurrencies, type Definition, type Step } from '../flow.ts'
import { flowVocabulary } from './flow-vocabulary.ts'
import { isAction, stepsInside } from './program.ts'
import { readCondition } from './read-condition.ts'
import { noting, readSteps, type Note } from './read-steps.ts'
import { readTrigger } from './read-trigger.ts'
import { objectAt, oneOf, onlyKnown, wholeNumber } from './read-value.ts'

const COOL_DOWN_MINUTES_MAX = 60 * 24 * 365
export const RUNS_PER_MINUTE_DEFAULT = 60
const RUNS_PER_MINUTE_MAX = 60_000
const FIELDS = ['trigger', 'condition', 'coolDownMinutes', 'runsPerMinute', 'concurrency', 'steps']

/**
 * A definition out of what somebody wrote as JSON. Throws `invalid`, which names the place, for example
 * `steps[1].with.tags`. Whether things that it names exist is found out when a step runs. With `note`, what is wrong with
 * single steps or the condition goes there, and the rest is read on.
 */
export async function readDefinition(ctx: Ctx, given: unknown, note?: Note): Promise<Definition> {
  const source = objectAt('definition', given)
  onlyKnown('definition', source, FIELDS)
  const trigger = await readTrigger(ctx, source['trigger'])
  const vocabulary = await flowVocabulary(ctx, trigger)
  const steps = readSteps(source['steps'], vocabulary, note)
  if (steps.length === 0 && !note) throw invalid('steps', 'must hold at least one step')
  return {
    trigger,
    condition: noting(note, '', () => readCondition('condition', source['condition'] ?? '', vocabulary)),
    coolDownMinutes: wholeNumber('coolDownMinutes', source['coolDownMinutes'] ?? 0, 0, COOL_DOWN_MINUTES_MAX),
    runsPerMinute: wholeNumber(
      'runsPerMinute',
      source['runsPerMinute'] ?? RUNS_PER_MINUTE_DEFAULT,
      1,
      RUNS_PER_MINUTE_MAX,
    ),
    concurrency: oneOf('concurrency', source['concurrency'] ?? 'none', concurrencies),
    steps,
  }
}

/** Every action that the steps may come to, however deep. */
export const actionsOf = (steps: readonly Step[]): Action[] =>
  steps.flatMap((step) =>
    isAction(step)
      ? [actions.get(step.action)].filter((it) => it !== undefined)
      : stepsInside(step).flatMap((inner) => actionsOf(inner)),
  )
