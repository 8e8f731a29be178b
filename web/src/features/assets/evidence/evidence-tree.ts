import type { Linked, AssetObservation } from '#api/generated/asset.ts'

/** An observation, the link to its parent, and its children. */
export interface EvidenceNode {
  readonly observation: AssetObservation
  /** Undefined at a root. */
  readonly link: Linked | undefined
  readonly branches: readonly EvidenceNode[]
}

/**
 * The links form a forest, since there is one fewer than observations. The root is the observation with most links,
 * which keeps the tree flat; among equals the one seen first.
 */
export function evidenceTree(
  observations: readonly AssetObservation[],
  links: readonly Linked[],
): readonly EvidenceNode[] {
  const byId = new Map(observations.map((it) => [it.id, it]))
  const linksOf = (id: string) => links.filter(({ a, b }) => a === id || b === id)
  const ordered = observations.toSorted(
    (x, y) => linksOf(y.id).length - linksOf(x.id).length || x.firstSeen.localeCompare(y.firstSeen),
  )
  const placed = new Set<string>()
  const grow = (observation: AssetObservation, link: Linked | undefined): EvidenceNode => {
    placed.add(observation.id)
    const branches = linksOf(observation.id)
      .toSorted((x, y) => y.score - x.score)
      .flatMap((next) => {
        const other = byId.get(next.a === observation.id ? next.b : next.a)
        return other && !placed.has(other.id) ? [grow(other, next)] : []
      })
    return { observation, link, branches }
  }
  return ordered.flatMap((it) => (placed.has(it.id) ? [] : [grow(it, undefined)]))
}
