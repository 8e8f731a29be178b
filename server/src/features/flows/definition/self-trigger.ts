import { invalid } from '#platform/errors.ts'
import { actions } from '../actions/all.ts'
import type { Definition } from '../flow.ts'
import { isAction } from './program.ts'

/**
 * Throws 400 that names the step, for a flow whose own steps always start it again. With a condition of the flow, or
 * within an `if`, it may end by itself, and the loop guard ends it if not.
 */
export function refuseSelfTrigger({ trigger, condition, steps }: Definition): void {
  if (trigger.kind !== 'event' || condition !== '') return
  for (const [n, step] of steps.entries()) {
    const emits = isAction(step) ? (actions.get(step.action)?.emits ?? []) : []
    const own = emits.find((type) => trigger.eventTypes.includes(type))
    if (own)
      throw invalid(`steps[${n}]`, `causes ${own}, which starts this flow again; give the flow a condition`)
  }
}
