import type { OverrideState } from '#api/generated/operations.ts'

/** What the address of the overrides says. Without a state: those in force and those that wait for approval. */
interface OverrideSearch {
  readonly state?: OverrideState | 'all' | undefined
}

export const STATE_CHOICES = [
  { value: 'current', label: 'In force or waiting' },
  { value: 'active', label: 'In force' },
  { value: 'proposed', label: 'Waiting for approval' },
  { value: 'ended', label: 'Ended' },
  { value: 'all', label: 'All' },
] as const

const STATES: readonly OverrideSearch['state'][] = ['active', 'proposed', 'ended', 'all']

/** Reads an address that anyone may have written: what is not understood is left out. */
export function readOverrideSearch({ state }: Record<string, unknown>): OverrideSearch {
  const known = STATES.find((it) => it === state)
  return known === undefined ? {} : { state: known }
}

/** The states to ask for; empty: all. */
export function statesOf({ state }: OverrideSearch): OverrideState[] {
  if (state === undefined) return ['active', 'proposed']
  return state === 'all' ? [] : [state]
}
