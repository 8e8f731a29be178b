/** What the dictionary says of the ids in question. */
export interface Named {
  readonly id: number
  readonly name: string
  readonly arch: string
  readonly version: string
}

/** Something came, went, or took the place of another version of itself. */
export interface Change {
  readonly kind: 'installed' | 'removed' | 'changed'
  readonly softwareId: number
  readonly formerId: number | undefined
}

/** Ascending ids: those of the one list that are not in the other. */
export function without(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return ids.filter((id) => !known.has(id))
}

/**
 * What a report leaves of a set. A complete one replaces it. Another adds to it, but what it names it names in all its
 * versions: an older version of the same name is gone.
 */
export function nextIds(
  before: readonly number[],
  reported: readonly number[],
  { isComplete, named }: { readonly isComplete: boolean; readonly named: ReadonlyMap<number, Named> },
): number[] {
  if (isComplete) return [...reported]
  const places = new Set(reported.map((id) => placeOf(id, named)))
  const kept = before.filter((id) => !places.has(placeOf(id, named)))
  return [...new Set([...kept, ...reported])].sort((a, b) => a - b)
}

/** What went and what came, paired where it is another version of the same; the same version again is no change. */
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
