import type { TopologyMapData } from '#api/generated/topology.ts'
import { ALL_SITES } from './topology-search-params.ts'

export type MapNode = TopologyMapData['topologyMap']['nodes'][number]

/** What a map is drawn of: things, and the pairs of them that hang together. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, MapNode>
  readonly links: readonly GraphLink[]
}

export interface GraphLink {
  readonly a: string
  readonly b: string
  readonly kinds: readonly string[]
}

/** Of a box that stands for all that a site has. */
const SITE = 'site:'
/** Fewer things than these are readable without boxes for sites. */
const READABLE = 30

export const isSiteBox = (id: string): boolean => id.startsWith(SITE)
export const siteOfBox = (id: string): string => id.slice(SITE.length)

/** The sites of a map by name; empty: what has none, last. */
export const sitesOf = (map: TopologyMapData['topologyMap']): readonly string[] =>
  [...new Set(map.nodes.map(({ site }) => site ?? ''))].toSorted(
    (a, b) => Number(a === '') - Number(b === '') || BY_NAME.compare(a, b),
  )

/** What is drawn for the choice of a site: all, one site with boxes for those it leads to, or a box for each site. */
export function graphFor(map: TopologyMapData['topologyMap'], site: string | undefined): Graph {
  const isSmall = sitesOf(map).length < 2 || map.nodes.length <= READABLE
  if (site === ALL_SITES || (site === undefined && isSmall)) return gathered(map, () => false)
  return gathered(map, (node) => (node.site ?? '') !== site)
}

/** The map with the nodes that fit gathered into a box for each site. */
function gathered(map: TopologyMapData['topologyMap'], isBoxed: (node: MapNode) => boolean): Graph {
  const nodes = new Map<string, MapNode>()
  const links = new Map<string, { a: string; b: string; kinds: Set<string> }>()
  const ids = map.nodes.map((node) => (isBoxed(node) ? SITE + (node.site ?? '') : node.id))
  for (const { a, b, kinds } of map.links) {
    const [one, other] = [ids[a] ?? '', ids[b] ?? ''].toSorted()
    if (one === undefined || other === undefined || one === other) continue
    const link = links.get(`${one} ${other}`) ?? { a: one, b: other, kinds: new Set() }
    for (const kind of kinds) link.kinds.add(kind)
    links.set(`${one} ${other}`, link)
  }
  const linked = new Set([...links.values()].flatMap(({ a, b }) => [a, b]))
  const isOverview = map.nodes.every(isBoxed)
  for (const [at, node] of map.nodes.entries()) {
    const id = ids[at] ?? node.id
    if (id === node.id) nodes.set(id, node)
    // of other sites only those that something leads to
    else if (isOverview || linked.has(id)) nodes.set(id, siteBox(id, nodes.get(id), node))
  }
  return { nodes, links: [...links.values()].map((it) => ({ ...it, kinds: [...it.kinds] })) }
}

const siteBox = (id: string, before: MapNode | undefined, { leaves }: MapNode): MapNode => ({
  id,
  name: siteOfBox(id) || 'No site',
  type: 'site',
  site: siteOfBox(id) || null,
  leaves: (before?.leaves ?? 0) + 1 + leaves,
})

export const BY_NAME = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
