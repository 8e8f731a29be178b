import type { Definition, Step } from '../flow-sentence.ts'

/** A list of steps within a definition: `steps`, `steps[0].steps`, `steps[2].otherwise`. */
export type ListPath = string

export const stepPath = (list: ListPath, at: number): string => `${list}[${at}]`

/** The steps of the list; none where there is no such list. */
export function stepsAt(definition: Definition, list: ListPath): readonly Step[] {
  const { parent, part } = split(list)
  if (parent === undefined) return definition.steps
  return stepAt(definition, parent)?.[part] ?? []
}

export function stepAt(definition: Definition, path: string): Step | undefined {
  const { list, at } = placeOf(path)
  return stepsAt(definition, list)[at]
}

export function insertStep(definition: Definition, list: ListPath, at: number, step: Step): Definition {
  return withSteps(definition, list, stepsAt(definition, list).toSpliced(at, 0, step))
}

export function removeStep(definition: Definition, path: string): Definition {
  const { list, at } = placeOf(path)
  return withSteps(definition, list, stepsAt(definition, list).toSpliced(at, 1))
}

/** Within its list; at either end nothing changes. */
export function moveStep(definition: Definition, path: string, by: -1 | 1): Definition {
  const { list, at } = placeOf(path)
  const steps = stepsAt(definition, list)
  const step = steps[at]
  if (!step || at + by < 0 || at + by >= steps.length) return definition
  return withSteps(definition, list, steps.toSpliced(at, 1).toSpliced(at + by, 0, step))
}

export function replaceStep(definition: Definition, path: string, step: Step): Definition {
  const { list, at } = placeOf(path)
  return withSteps(definition, list, stepsAt(definition, list).with(at, step))
}

/** Names of the steps that come before this place in the order of execution, with their actions. */
export function namedBefore(definition: Definition, path: string): { name: string; action: string }[] {
  const found: { name: string; action: string }[] = []
  const visit = (list: ListPath): boolean =>
    stepsAt(definition, list).every((step, at) => {
      const here = stepPath(list, at)
      if (here === path) return false
      if (step.name) found.push({ name: step.name, action: step.action })
      return visit(`${here}.steps`) && visit(`${here}.otherwise`)
    })
  visit('steps')
  return found
}

function withSteps(definition: Definition, list: ListPath, steps: readonly Step[]): Definition {
  const { parent, part } = split(list)
  if (parent === undefined) return { ...definition, steps }
  const step = stepAt(definition, parent)
  return step ? replaceStep(definition, parent, { ...step, [part]: steps }) : definition
}

function split(list: ListPath): {
  readonly parent: string | undefined
  readonly part: 'steps' | 'otherwise'
} {
  const match = /^(.*)\.(steps|otherwise)$/.exec(list)
  return match
    ? { parent: match[1], part: match[2] as 'steps' | 'otherwise' }
    : { parent: undefined, part: 'steps' }
}

function placeOf(path: string): { readonly list: ListPath; readonly at: number } {
  const match = /^(.*)\[(\d+)\]$/.exec(path)
  return { list: match?.[1] ?? 'steps', at: Number(match?.[2] ?? -1) }
}
