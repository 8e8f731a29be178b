import type { OverrideState } from '#api/generated/enums-and-inputs.ts'

/** URL search parameters of the overrides. Without a state: active and proposed ones. */
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

/** Parses URL search parameters; invalid ones are ignored. */
export function readOverrideSearch({ state }: Record<string, unknown>): OverrideSearch {
  const known = STATES.find((it) => it === state)
  return known === undefined ? {} : { state: known }
}

/** The states to query; empty: all. */
export function statesOf({ state }: OverrideSearch): OverrideState[] {
  if (state === undefined) return ['active', 'proposed']
  return state === 'all' ? [] : [state]
}
