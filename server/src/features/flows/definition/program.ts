import { unreachable } from '#platform/errors.ts'
import type { ActionStep, Step } from '../flow.ts'

/** A definition's steps in one row, so that a run's place among them is a number. */
export type Instruction = { readonly path: string } & (
  | { readonly op: 'act'; readonly step: ActionStep }
  | { readonly op: 'wait'; readonly minutes: number }
  /** Goes on with the next instruction when the condition is true, else at `otherwise`. */
  | { readonly op: 'branch'; readonly condition: string; readonly otherwise: number }
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

const WAYS: ReadonlySet<string> = new Set(['if', 'wait', 'stop'])

export const isAction = (step: Step): step is ActionStep => !WAYS.has(step.action)
