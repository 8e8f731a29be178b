import { isIPv4, isIPv6 } from 'node:net'
import { Network } from './network.ts'

/** An address of an interface, as a device tells it. */
export interface InterfaceAddress {
  readonly assetId: string
  readonly asset: string
  readonly type: string
  readonly site: string | null
  readonly interface: string
  /** `10.1.0.1/24`; what is not of this form is of no subnet. */
  readonly address: string
}

interface Subnet {
  readonly network: string
  readonly sites: Set<string>
  readonly vlans: Set<number>
  /** By id of the asset. */
  readonly members: Map<string, InterfaceAddress>
  devices: number
}

/** They pass packets on, if they have addresses in several subnets. */
const ROUTING = new Set(['router', 'switch', 'firewall', 'gateway', 'load_balancer'])
/** Vlan20, vlan.20, irb.20, Gi0/1.20 */
const VLAN_INTERFACE = /^(?:vlan|vl|irb|bvi)[ ._-]?(\d{1,4})$|\.(\d{1,4})$/i
const LISTED_MAX = 12

/** The subnets that interfaces tell of, who routes between them, and how many addresses of assets are in each. */
export class Subnets {
  readonly #subnets = new Map<string, Subnet>()
  readonly #prefixes = { 4: new Set<number>(), 6: new Set<number>() }

  addInterface(it: InterfaceAddress): void {
    const [address = '', prefixText = ''] = it.address.split('/')
    const network = networkOf(address, Number(prefixText))
    if (network === null) return
    const subnet = this.#subnets.get(network) ?? emptySubnet(network)
    this.#subnets.set(network, subnet)
    this.#prefixes[isIPv4(address) ? 4 : 6].add(Number(prefixText))
    if (it.site !== null) subnet.sites.add(it.site)
    const [, named, dotted] = VLAN_INTERFACE.exec(it.interface) ?? []
    const vlan = Number(named ?? dotted)
    if (vlan >= 1 && vlan <= 4_094) subnet.vlans.add(vlan)
    if (!subnet.members.has(it.assetId)) subnet.members.set(it.assetId, it)
  }

  /** The address of an asset counts in the smallest subnet that has it. */
  addAddress(address: string): void {
    const prefixes = [...this.#prefixes[isIPv4(address) ? 4 : 6]].sort((a, b) => b - a)
    for (const prefix of prefixes) {
      const subnet = this.#subnets.get(networkOf(address, prefix) ?? '')
      if (!subnet) continue
      subnet.devices += 1
      return
    }
  }

  /** In the order of their addresses. */
  rows(): {
    subnet: string
    vlan: string | null
    site: string | null
    routers: string | null
    devices: number
  }[] {
    const routers = this.#routers()
    return this.#sorted().map(({ network, vlans, sites, members, devices }) => ({
      subnet: network,
      vlan: joined([...vlans].sort((a, b) => a - b)),
      site: joined([...sites].sort()),
      routers: joined(
        [...members.values()]
          .filter(({ assetId }) => routers.has(assetId))
          .map(({ asset, address }) => `${asset} (${address.split('/')[0]})`)
          .sort(),
      ),
      devices,
    }))
  }

  /** Routers and the subnets that they lead to. */
  network(): Network {
    const network = new Network()
    const routers = this.#routers()
    for (const { network: name, members, devices } of this.#sorted())
      for (const { assetId, asset, type, site } of members.values())
        if (routers.has(assetId))
          network.add(
            [assetId, { name: asset, type, site }],
            [`subnet:${name}`, { name: `${name}, ${devices} seen`, type: 'subnet', site }],
          )
    return network
  }

  #sorted(): Subnet[] {
    const keys = new Map([...this.#subnets.keys()].map((it) => [it, orderOf(it)]))
    return [...this.#subnets.values()].sort((a, b) =>
      (keys.get(a.network) ?? '') < (keys.get(b.network) ?? '') ? -1 : 1,
    )
  }

  #routers(): ReadonlySet<string> {
    const counts = new Map<string, number>()
    for (const { members } of this.#subnets.values())
      for (const { assetId, type } of members.values())
        if (ROUTING.has(type)) counts.set(assetId, (counts.get(assetId) ?? 0) + 1)
    return new Set([...counts].filter(([, subnets]) => subnets > 1).map(([id]) => id))
  }
}

const emptySubnet = (network: string): Subnet => ({
  network,
  sites: new Set(),
  vlans: new Set(),
  members: new Map(),
  devices: 0,
})

function joined(values: readonly (string | number)[]): string | null {
  if (values.length === 0) return null
  const rest = values.length - LISTED_MAX
  return values.slice(0, LISTED_MAX).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** `10.1.0.0/24` of an address in it; null: no address, of one host alone, or only valid on its link. */
export function networkOf(address: string, prefix: number): string | null {
  const isFour = isIPv4(address)
  if (!isFour && !isIPv6(address)) return null
  const bits = isFour ? 32 : 128
  if (!Number.isInteger(prefix) || prefix < 1 || prefix >= bits) return null
  const whole = isFour ? ofFour(address) : ofSix(address)
  if (isFour ? /^(127|169\.254)\./.test(address) : whole >> 118n === 0x3fan) return null
  const shift = BigInt(bits - prefix)
  const first = (whole >> shift) << shift
  return `${isFour ? fourText(first) : sixText(first)}/${prefix}`
}

const ofFour = (address: string): bigint =>
  address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)

const fourText = (value: bigint): string => [24n, 16n, 8n, 0n].map((by) => (value >> by) & 255n).join('.')

/** RFC 4291 §2.2; an address with a zone or four decimal parts at its end is none of a subnet that is told. */
function ofSix(address: string): bigint {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((it) => Number.parseInt(it, 16)))
  const [front, back] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? [] : Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0)
  return [...front, ...zeros, ...back].reduce((sum, group) => sum * 65_536n + BigInt(group), 0n)
}

/** As URL writes an address: RFC 5952. */
function sixText(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Four before six, then by number. */
function orderOf(network: string): string {
  const [address = '', prefix = ''] = network.split('/')
  const value = isIPv4(address) ? ofFour(address) : ofSix(address)
  return `${isIPv4(address) ? 4 : 6}${value.toString(16).padStart(32, '0')}${prefix.padStart(3, '0')}`
}
