import { unreachable } from '#platform/errors.ts'
import type { ActionStep, Step } from '../flow.ts'

/** A definition's steps in one row, so that a run's place among them is a number. */
export type Instruction = { readonly path: string } & (
  | { readonly op: 'act'; readonly step: ActionStep }
  | { readonly op: 'wait'; readonly minutes: number }
  /** Goes on with the next instruction when the condition is true, else at `otherwise`. */
  | { readonly op: 'branch'; readonly condition: string; readonly otherwise: number }
  /** Waits for the answer to what `request` asked; approved goes on at `approved`, else with the next instruction. */
  | { readonly op: 'approval'; readonly request: string; readonly approved: number }
  /** Begins with the first item of the list, or goes on at `after` where there is none. */
  | { readonly op: 'loop'; readonly list: string; readonly after: number }
  /** Goes back to the instruction behind the loop's for its next item, or on when there is none. */
  | { readonly op: 'next'; readonly loop: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'stop' }
)

/** The same definition gives the same program, so a run goes on where it was after a restart. */
export function compileSteps(steps: readonly Step[], path = 'steps', from = 0): Instruction[] {
  const program: Instruction[] = []
  steps.forEach((step, index) => {
    program.push(...compileStep(step, `${path}[${index}]`, from + program.length))
  })
  return program
}

function compileStep(step: Step, path: string, at: number): Instruction[] {
  if (isAction(step)) return [{ op: 'act', path, step }]
  switch (step.action) {
    case 'wait':
      return [{ op: 'wait', path, minutes: step.minutes }]
    case 'stop':
      return [{ op: 'stop', path }]
    case 'wait_for_approval': {
      const outside = compileSteps(step.otherwise, `${path}.otherwise`, at + 1)
      return [
        { op: 'approval', path, request: step.request, approved: at + 1 + outside.length + 1 },
        ...outside,
        { op: 'stop', path },
      ]
    }
    case 'for_each': {
      const inside = compileSteps(step.steps, `${path}.steps`, at + 1)
      const after = at + 1 + inside.length + 1
      return [{ op: 'loop', path, list: step.list, after }, ...inside, { op: 'next', path, loop: at }]
    }
    case 'if': {
      const inside = compileSteps(step.steps, `${path}.steps`, at + 1)
      const otherwiseAt = at + 1 + inside.length + 1
      const outside = compileSteps(step.otherwise, `${path}.otherwise`, otherwiseAt)
      return [
        { op: 'branch', path, condition: step.condition, otherwise: otherwiseAt },
        ...inside,
        { op: 'jump', path, to: otherwiseAt + outside.length },
        ...outside,
      ]
    }
    default:
      return unreachable(step)
  }
}

const WAYS: ReadonlySet<string> = new Set(['if', 'for_each', 'wait', 'wait_for_approval', 'stop'])

export const isAction = (step: Step): step is ActionStep => !WAYS.has(step.action)

/** The lists of steps that lie in a step. */
export function stepsInside(step: Step): readonly (readonly Step[])[] {
  if (isAction(step)) return []
  switch (step.action) {
    case 'if':
      return [step.steps, step.otherwise]
    case 'for_each':
      return [step.steps]
    case 'wait_for_approval':
      return [step.otherwise]
    case 'wait':
    case 'stop':
      return []
    default:
      return unreachable(step)
  }
}
