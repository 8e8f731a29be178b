import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The network as a map: what passes traffic on, with counts of what hangs there. Pure. */

export interface MapNode {
  /** Of an asset; else what it was reported as, or a network. */
  readonly id: string
  readonly name: string
  /** A type of device or asset, `subnet`, `segment` (what a port has seen by ARP); null: no asset of the inventory. */
  readonly type: string | null
  readonly site: string | null
  /** How many hang on it alone and are not drawn. */
  readonly leaves: number
}

export interface MapLink {
  /** Places of both ends among the nodes. */
  readonly a: number
  readonly b: number
  readonly kinds: readonly string[]
}

export interface TopologyMap {
  readonly nodes: readonly MapNode[]
  readonly links: readonly MapLink[]
  /** What is drawn or counted. */
  readonly devices: number
}

export interface Connection {
  readonly aId: string
  readonly aName: string
  readonly aType: string
  readonly aSite: string | null
  /** Null: the other end is no known asset. */
  readonly bId: string | null
  readonly bName: string
  readonly bType: string | null
  readonly bSite: string | null
  readonly kinds: readonly string[]
}

/** Addresses of one interface of a device, as it was told. */
export interface ToldAddress {
  readonly assetId: string
  readonly name: string
  readonly type: string
  readonly site: string | null
  readonly port: string
  /** `10.1.0.1/24` each, or `{ ip, prefix }`. */
  readonly addresses: unknown
}

export interface ArpPort extends Omit<ToldAddress, 'addresses'> {
  readonly devices: number
}

/** They pass traffic on, so they are drawn however few their links are. */
export const forwardingTypes: ReadonlySet<string> = new Set([
  'router',
  'switch',
  'firewall',
  'gateway',
  'load_balancer',
])

interface Drawn {
  readonly node: Omit<MapNode, 'leaves'>
  readonly others: Map<string, Set<string>>
}

/** Layer 2: what is connected with what. Whatever has one neighbour and passes nothing on is counted there. */
export function connectedMap(connections: readonly Connection[]): TopologyMap {
  const drawn = new Map<string, Drawn>()
  for (const it of connections) {
    // a name that nobody knows may be that of another one elsewhere
    const bId = it.bId ?? `text:${it.aSite ?? ''}:${it.bName}`
    if (bId === it.aId) continue
    const a = drawnOf(drawn, { id: it.aId, name: it.aName, type: it.aType, site: it.aSite })
    // what is no asset is where it was seen
    const site = it.bId === null ? it.aSite : it.bSite
    const b = drawnOf(drawn, { id: bId, name: it.bName, type: it.bType, site })
    join(a, bId, it.kinds)
    join(b, it.aId, it.kinds)
  }
  return mapOf(drawn, (it) => isLeaf(it, drawn))
}

/** A pair that hangs on nothing else is drawn, so that both are seen. */
function isLeaf({ node, others }: Drawn, drawn: ReadonlyMap<string, Drawn>): boolean {
  const [other] = others.keys()
  if (others.size !== 1 || other === undefined || forwardingTypes.has(node.type ?? '')) return false
  const above = drawn.get(other)
  return above !== undefined && (above.others.size > 1 || forwardingTypes.has(above.node.type ?? ''))
}

/** Layer 3: what routes, and the networks that it leads to, by its addresses and by whom it has seen by ARP. */
export function routedMap(
  told: readonly ToldAddress[],
  seen: readonly ArpPort[],
  devicesIn: ReadonlyMap<string, number>,
): TopologyMap {
  const drawn = new Map<string, Drawn>()
  const counted = new Map<string, number>()
  const addressed = new Map<string, string[]>()
  const link = (
    { assetId, name, type, site }: Omit<ToldAddress, 'addresses' | 'port'>,
    to: Drawn,
    kind: string,
  ) => {
    join(drawnOf(drawn, { id: assetId, name, type, site }), to.node.id, [kind])
    join(to, assetId, [kind])
  }
  for (const it of told)
    for (const network of networksOf(it.addresses)) {
      link(it, drawnOf(drawn, { id: network, name: network, type: 'subnet', site: it.site }), 'address')
      counted.set(network, devicesIn.get(network) ?? 0)
      const port = `${it.assetId} ${it.port}`
      addressed.set(port, [...(addressed.get(port) ?? []), network])
    }
  for (const it of seen) {
    const port = `${it.assetId} ${it.port}`
    const networks = addressed.get(port)
    if (networks) {
      for (const network of networks) link(it, drawnOf(drawn, subnet(network, it.site)), 'arp')
      continue
    }
    const name = it.port === '' ? `Seen by ${it.name}` : `${it.port} of ${it.name}`
    link(it, drawnOf(drawn, { id: port, name, type: 'segment', site: it.site }), 'arp')
    counted.set(port, it.devices)
  }
  const map = mapOf(drawn, () => false)
  const nodes = map.nodes.map((it) => ({ ...it, leaves: counted.get(it.id) ?? 0 }))
  return { ...map, nodes, devices: nodes.reduce((sum, { leaves }) => sum + leaves, 0) }
}

const subnet = (network: string, site: string | null) => ({
  id: network,
  name: network,
  type: 'subnet',
  site,
})

/** The networks of what was told as addresses of an interface; those of one host, of a link or of the host itself are none. */
export function networksOf(addresses: unknown): string[] {
  const all = Array.isArray(addresses) ? addresses : []
  return [...new Set(all.flatMap((it) => networkOf(textOf(it)) ?? []))]
}

function textOf(told: unknown): string {
  if (typeof told === 'string') return told
  if (typeof told !== 'object' || told === null) return ''
  const { ip, prefix } = told as Readonly<Record<string, unknown>>
  return typeof ip === 'string' && typeof prefix === 'number' ? `${ip}/${prefix}` : ''
}

function networkOf(text: string): string | undefined {
  // addresses of three parts are valid to the library
  if (isIP(text.split('/')[0] ?? '') === 0 || !ipaddr.isValidCIDR(text)) return undefined
  const [address, prefix] = ipaddr.parseCIDR(text)
  const isFour = address.kind() === 'ipv4'
  if (prefix < 1 || prefix >= (isFour ? 32 : 128)) return undefined
  if (['loopback', 'linkLocal'].includes(address.range())) return undefined
  const first = isFour ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return `${first.toString()}/${prefix}`
}

function drawnOf(drawn: Map<string, Drawn>, node: Omit<MapNode, 'leaves'>): Drawn {
  const known = drawn.get(node.id)
  if (known) return known
  const made: Drawn = { node, others: new Map() }
  drawn.set(node.id, made)
  return made
}

function join({ others }: Drawn, to: string, kinds: readonly string[]): void {
  const known = others.get(to) ?? new Set()
  for (const kind of kinds) known.add(kind)
  others.set(to, known)
}

/** In the order of names, so that a map does not depend on the order in which links came. */
function mapOf(drawn: ReadonlyMap<string, Drawn>, isCounted: (it: Drawn) => boolean): TopologyMap {
  const counted = new Set([...drawn.values()].filter(isCounted).map(({ node }) => node.id))
  const shown = [...drawn.values()]
    .filter(({ node }) => !counted.has(node.id))
    .sort((a, b) => compare(a.node.name, b.node.name) || compare(a.node.id, b.node.id))
  const places = new Map(shown.map(({ node }, at) => [node.id, at]))
  const nodes = shown.map(({ node, others }) => ({
    ...node,
    leaves: [...others.keys()].filter((id) => counted.has(id)).length,
  }))
  const links = shown.flatMap(({ others }, a) =>
    [...others]
      .flatMap(([id, kinds]): MapLink[] => {
        const b = places.get(id)
        return b === undefined || b < a ? [] : [{ a, b, kinds: [...kinds].sort() }]
      })
      .sort((one, other) => one.b - other.b),
  )
  return { nodes, links, devices: drawn.size }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
