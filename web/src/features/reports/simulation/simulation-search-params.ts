import type { SimulatedChangeKind } from '#api/generated/enums-and-inputs.ts'

/** URL search parameters of the simulator: the change that is asked about. */
export interface SimulationSearch {
  /** Absent: nothing is asked yet. */
  readonly kind?: SimulatedChangeKind | undefined
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** YYYY-MM-DD. */
  readonly by?: string | undefined
  /** A condition on assets; absent: all. */
  readonly where?: string | undefined
}

const KINDS: readonly string[] = ['update_software', 'replace_assets', 'retire_product', 'retire_system']

/** Parses URL search parameters; invalid ones are ignored. */
export function readSimulationSearch(raw: Record<string, unknown>): SimulationSearch {
  const { kind, where } = raw
  if (!isKind(kind)) return {}
  return {
    kind,
    ...(kind !== 'replace_assets' && textOf('name', raw)),
    ...(kind === 'update_software' && textOf('version', raw)),
    ...(kind === 'replace_assets' && textOf('by', raw)),
    ...(typeof where === 'string' && where.trim() !== '' && { where }),
  }
}

const isKind = (value: unknown): value is SimulatedChangeKind =>
  typeof value === 'string' && KINDS.includes(value)

/** Search parameters such as `14` arrive as numbers. */
function textOf(key: 'name' | 'version' | 'by', raw: Record<string, unknown>): Record<string, string> {
  const value = raw[key]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? {} : { [key]: text }
}
