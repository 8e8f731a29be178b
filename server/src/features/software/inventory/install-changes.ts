/** Name and version of one entry of `software`. */
export interface Named {
  readonly id: number
  readonly name: string
  readonly arch: string
  readonly version: string
}

/** An installation, a removal or a change of version. */
export interface Change {
  readonly kind: 'installed' | 'removed' | 'changed'
  readonly softwareId: number
  readonly formerId: number | undefined
}

/** Set difference; keeps the order. */
export function difference(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return ids.filter((id) => !known.has(id))
}

/** How a report tells of a set. */
interface Telling {
  readonly isComplete: boolean
  /** Of a report of what changed: what was removed. */
  readonly gone?: ReadonlySet<number> | undefined
  readonly named: ReadonlyMap<number, Named>
}

/**
 * The set after a report. A complete report replaces the set; a partial one adds to it and replaces other versions of
 * the names it lists.
 */
export function nextIds(
  before: readonly number[],
  reported: readonly number[],
  { isComplete, gone, named }: Telling,
): number[] {
  if (isComplete) return [...reported]
  if (gone) return [...new Set([...before.filter((id) => !gone.has(id)), ...reported])].sort((a, b) => a - b)
  const places = new Set(reported.map((id) => placeOf(id, named)))
  const retained = before.filter((id) => !places.has(placeOf(id, named)))
  return [...new Set([...retained, ...reported])].sort((a, b) => a - b)
}

/** Pairs removed and added software of the same name and architecture to a change of version. */
export function changesOf(
  came: readonly number[],
  went: readonly number[],
  named: ReadonlyMap<number, Named>,
): Change[] {
  const gone = Map.groupBy(went, (id) => placeOf(id, named))
  const changes: Change[] = []
  for (const id of came) {
    const formerId = gone.get(placeOf(id, named))?.shift()
    if (formerId === undefined) changes.push({ kind: 'installed', softwareId: id, formerId: undefined })
    else if (named.get(id)?.version !== named.get(formerId)?.version) {
      changes.push({ kind: 'changed', softwareId: id, formerId })
    }
  }
  const removed = [...gone.values()].flat()
  return [
    ...changes,
    ...removed.map((id): Change => ({ kind: 'removed', softwareId: id, formerId: undefined })),
  ]
}

function placeOf(id: number, named: ReadonlyMap<number, Named>): string {
  const found = named.get(id)
  return found ? `${found.name}\u001f${found.arch}` : String(id)
}
