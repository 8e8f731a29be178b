export interface ArticulationPoint {
  readonly node: string
  /** How many others lose their way to the largest part that remains. */
  readonly cutsOff: number
}

interface Visit {
  readonly node: string
  readonly parent: string | undefined
  readonly order: number
  low: number
  /** Nodes below it, itself included. */
  size: number
  /** Sizes of the parts below that only it connects. */
  readonly parts: number[]
  next: number
}

/**
 * The nodes without which their part of a network falls apart (Hopcroft and Tarjan 1973), the one that cuts off most
 * first. Links go both ways; several between the same two are one. Without recursion, for chains may be long.
 */
export function articulationPoints(links: Iterable<readonly [string, string]>): ArticulationPoint[] {
  const neighbours = neighboursOf(links)
  const visits = new Map<string, Visit>()
  const found: ArticulationPoint[] = []
  for (const start of neighbours.keys()) {
    if (visits.has(start)) continue
    const component = visitFrom(start, neighbours, visits)
    for (const { node, parent, parts } of component) {
      const isRoot = parent === undefined
      if (isRoot ? parts.length < 2 : parts.length === 0) continue
      const below = parts.reduce((a, b) => a + b, 0)
      const rest = component.length - 1 - below
      found.push({ node, cutsOff: component.length - 1 - Math.max(rest, ...parts) })
    }
  }
  return found.sort((a, b) => b.cutsOff - a.cutsOff || (a.node < b.node ? -1 : 1))
}

function neighboursOf(links: Iterable<readonly [string, string]>): Map<string, string[]> {
  const sets = new Map<string, Set<string>>()
  const add = (from: string, to: string): void => {
    const known = sets.get(from)
    if (known) known.add(to)
    else sets.set(from, new Set([to]))
  }
  for (const [a, b] of links) {
    if (a === b) continue
    add(a, b)
    add(b, a)
  }
  return new Map([...sets].map(([node, others]) => [node, [...others]]))
}

function visitFrom(
  start: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
  visits: Map<string, Visit>,
): Visit[] {
  const component: Visit[] = []
  const begin = (node: string, parent?: string): Visit => {
    const visit = { node, parent, order: visits.size, low: visits.size, size: 1, parts: [], next: 0 }
    visits.set(node, visit)
    component.push(visit)
    return visit
  }
  const open = [begin(start)]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const other = neighbours.get(top.node)?.[top.next]
    top.next += 1
    if (other === undefined) {
      open.pop()
      const parent = open.at(-1)
      if (parent) end(top, parent)
    } else if (other !== top.parent) {
      const known = visits.get(other)
      if (known) top.low = Math.min(top.low, known.order)
      else open.push(begin(other, top.node))
    }
  }
  return component
}

function end(visit: Visit, parent: Visit): void {
  parent.low = Math.min(parent.low, visit.low)
  parent.size += visit.size
  if (visit.low >= parent.order) parent.parts.push(visit.size)
}
