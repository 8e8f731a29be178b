import { invalid, unreachable } from '#platform/errors.ts'

/** What a simulation supposes. */

export const changeKinds = ['update_software', 'replace_assets', 'retire_product', 'retire_system'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface SimulatedChange {
  readonly kind: ChangeKind
  /** Words of the name of the software or operating system; empty for `replace_assets`. */
  readonly name: string
  /** Of `update_software`; null: to the versions that the findings name as their fix. */
  readonly version: string | null
  /** Of `replace_assets`: YYYY-MM-DD. */
  readonly by: string | null
}

/** As a caller gives it. */
export interface ChangeInput {
  readonly kind: string
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly by?: string | undefined
}

const TEXT_LENGTH_MAX = 200

/** Throws 400, which names the field. */
export function readChange({ kind, name = '', version, by }: ChangeInput): SimulatedChange {
  const known = changeKinds.find((it) => it === kind)
  if (!known) throw invalid('kind', `must be one of ${changeKinds.join(', ')}`)
  for (const [field, text] of Object.entries({ name, version: version ?? '' }))
    if (text.length > TEXT_LENGTH_MAX) throw invalid(field, `must have at most ${TEXT_LENGTH_MAX} characters`)
  if (known === 'replace_assets') {
    if (name.trim() !== '') throw invalid('name', 'is not for a replacement of assets')
  } else if (!/[\p{L}\p{N}]/u.test(name)) throw invalid('name', 'must name the software or operating system')
  if (version !== undefined && (known !== 'update_software' || version.trim() === ''))
    throw invalid('version', 'is the version of an update, and not blank')
  return {
    kind: known,
    name: name.trim(),
    version: version?.trim() ?? null,
    by: readDay(known, by),
  }
}

function readDay(kind: ChangeKind, by: string | undefined): string | null {
  if (kind !== 'replace_assets') {
    if (by !== undefined) throw invalid('by', 'is the day of a replacement of assets')
    return null
  }
  const day = by === undefined || !/^\d{4}-\d\d-\d\d$/.test(by) ? undefined : new Date(`${by}T00:00:00Z`)
  if (by === undefined || !day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== by)
    throw invalid('by', 'must be a day such as 2027-06-30')
  return by
}

/** In a sentence. */
export function changeText({ kind, name, version, by }: SimulatedChange): string {
  switch (kind) {
    case 'update_software':
      return `Update ${name}${version === null ? ' to the versions that fix its findings' : ` to ${version}`}`
    case 'replace_assets':
      return `Replace the assets by ${by}`
    case 'retire_product':
      return `Retire the software ${name}`
    case 'retire_system':
      return `Retire the assets with the operating system ${name}`
    default:
      return unreachable(kind)
  }
}
