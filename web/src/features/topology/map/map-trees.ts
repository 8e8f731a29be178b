import { BY_NAME, type Graph, type GraphLink, type MapNode } from './map-graph.ts'

/** A thing with what hangs below it in a drawing. */
export interface MapTree {
  readonly node: MapNode
  readonly children: readonly MapTree[]
  /** Things below it that are drawn when all is open. */
  readonly size: number
}

export interface Forest {
  readonly trees: readonly MapTree[]
  readonly parents: ReadonlyMap<string, string>
  /** Links beyond the trees. */
  readonly across: readonly GraphLink[]
  /** By `linkKey`. */
  readonly links: ReadonlyMap<string, GraphLink>
}

export const linkKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

/**
 * Each connected part as a tree of shortest paths from what has most below it: switched networks are nearly trees, since
 * the spanning tree protocol makes them so. The largest part first.
 */
export function forestOf({ nodes, links }: Graph): Forest {
  const neighbours = neighboursOf(nodes, links)
  const byDegree = [...nodes.keys()].toSorted(
    (a, b) => weightOf(b, nodes, neighbours) - weightOf(a, nodes, neighbours),
  )
  const parents = new Map<string, string>()
  const seen = new Set<string>()
  const trees = byDegree.flatMap((root) => {
    if (seen.has(root)) return []
    return [treeFrom(root, { nodes, neighbours, parents, seen })]
  })
  const known = new Map(links.map((it) => [linkKey(it.a, it.b), it]))
  const across = links.filter(({ a, b }) => parents.get(a) !== b && parents.get(b) !== a)
  return { trees: trees.toSorted((a, b) => b.size - a.size), parents, across, links: known }
}

function weightOf(id: string, nodes: Graph['nodes'], neighbours: ReadonlyMap<string, readonly string[]>) {
  const { type, leaves = 0 } = nodes.get(id) ?? {}
  const passesOn = type === 'switch' || type === 'router' || type === 'firewall'
  return (neighbours.get(id)?.length ?? 0) * 1_000 + (passesOn ? 500 : 0) + Math.min(leaves, 499)
}

function neighboursOf(nodes: Graph['nodes'], links: readonly GraphLink[]): Map<string, string[]> {
  const found = new Map<string, string[]>([...nodes.keys()].map((id) => [id, []]))
  for (const { a, b } of links) {
    found.get(a)?.push(b)
    found.get(b)?.push(a)
  }
  const nameOf = (id: string) => nodes.get(id)?.name ?? ''
  for (const ids of found.values()) ids.sort((a, b) => BY_NAME.compare(nameOf(a), nameOf(b)))
  return found
}

interface Walk {
  readonly nodes: Graph['nodes']
  readonly neighbours: ReadonlyMap<string, readonly string[]>
  readonly parents: Map<string, string>
  readonly seen: Set<string>
}

/** Without recursion, for chains may be long. */
function treeFrom(root: string, { nodes, neighbours, parents, seen }: Walk): MapTree {
  const order = [root]
  const below = new Map<string, string[]>()
  seen.add(root)
  for (let at = 0; at < order.length; at += 1) {
    const id = order[at] ?? ''
    const found = (neighbours.get(id) ?? []).filter((it) => !seen.has(it))
    for (const child of found) {
      seen.add(child)
      parents.set(child, id)
      order.push(child)
    }
    below.set(id, found)
  }
  const made = new Map<string, MapTree>()
  for (const id of order.toReversed()) {
    const children = (below.get(id) ?? []).flatMap((it) => made.get(it) ?? [])
    const node = nodes.get(id)
    if (node) made.set(id, { node, children, size: children.reduce((sum, { size }) => sum + 1 + size, 0) })
  }
  const tree = made.get(root)
  if (!tree) throw new Error(`a map without ${root}`)
  return tree
}
