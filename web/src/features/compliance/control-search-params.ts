import type { ControlStatus } from '#api/generated/enums-and-inputs.ts'

/** URL search parameters of a framework: of which status its controls are. Without one: all that have a status. */
interface ControlSearch {
  readonly controls?: ControlStatus | undefined
}

/** The worst first. */
export const STATUSES: readonly ControlStatus[] = [
  'fail',
  'warning',
  'pass',
  'not_applicable',
  'not_assessed',
]

/** Parses URL search parameters; invalid ones are ignored. */
export function readControlSearch({ controls }: Record<string, unknown>): ControlSearch {
  const known = STATUSES.find((it) => it === controls)
  return known === undefined ? {} : { controls: known }
}

/** The statuses to ask for. */
export const statusesOf = ({ controls }: ControlSearch): ControlStatus[] =>
  controls === undefined ? STATUSES.filter((it) => it !== 'not_assessed') : [controls]
