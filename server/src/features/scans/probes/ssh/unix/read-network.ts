import { isIP } from 'node:net'
import { linesOf, word } from '../terminal-text.ts'

export interface Interface {
  readonly name: string
  readonly mac?: string
  readonly addresses: readonly Address[]
  readonly isUp: boolean
  readonly mtu?: number
}

export interface Address {
  readonly ip: string
  readonly prefix?: number
  /** The kernel says that it is leased. */
  readonly isLeased: boolean
}

interface Growing {
  name: string
  mac?: string
  addresses: Address[]
  isUp: boolean
  mtu?: number
}

const INTERFACES_MAX = 4_096
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i
const NO_MAC = /^(00:){5}00$|^(ff:){5}ff$/i

/** The answer of `ip -o link` and `ip -o addr`, or of `ifconfig -a` in any of its dialects. */
export function interfacesIn(text: string): readonly Interface[] {
  const lines = linesOf(text)
  return lines.some((line) => /^\d+: \S/.test(line)) ? fromIp(lines) : fromIfconfig(lines)
}

function fromIp(lines: readonly string[]): readonly Interface[] {
  const found = new Map<string, Growing>()
  for (const line of lines) {
    const [, name = '', rest = ''] = /^\d+: ([^\s:@]{1,64})\S* (.*)$/.exec(line.slice(0, 2_000)) ?? []
    if (name === '') continue
    const one = grow(found, name)
    if (!one) return [...found.values()]
    const [, ip = '', prefix] =
      /^\s*inet6? ([0-9a-f.:]+)(?: peer \S+?)?(?:\/(\d{1,3}))?(?: |$)/i.exec(rest) ?? []
    if (isIP(ip)) one.addresses.push({ ip, ...numbered('prefix', prefix), isLeased: / dynamic /.test(rest) })
    const [, flags] = /^<([A-Z0-9_,-]*)>/.exec(rest.trim()) ?? []
    if (flags === undefined) continue
    one.isUp = flags.split(',').includes('UP')
    Object.assign(one, numbered('mtu', / mtu (\d{1,6})/.exec(rest)?.[1]))
    setMac(one, / link\/\S+ (\S+)/.exec(rest)?.[1])
  }
  return [...found.values()]
}

/** An interface begins where a line does; what is indented belongs to it. */
function fromIfconfig(lines: readonly string[]): readonly Interface[] {
  const found = new Map<string, Growing>()
  let one: Growing | undefined
  for (const long of lines) {
    const line = long.slice(0, 2_000)
    const begun = /^([A-Za-z][\w.-]{0,63}):?\s/.exec(`${line} `)?.[1]
    if (begun !== undefined) one = grow(found, begun)
    if (!one) continue
    if (/[<\s,]UP[\s,>]/.test(line)) one.isUp = true
    Object.assign(one, numbered('mtu', /\bmtu[: ](\d{1,6})/i.exec(line)?.[1]))
    setMac(one, /\b(?:ether|lladdr|HWaddr|address:) ?(\S+)/.exec(line)?.[1])
    const [, ip = '', slash] =
      /\binet6?(?: addr)?:? ?([0-9a-f.:]+)(?:%\w+)?(?:\/(\d{1,3}))?/i.exec(line) ?? []
    if (isIP(ip)) one.addresses.push({ ip, ...prefixOf(slash, line), isLeased: false })
  }
  return [...found.values()]
}

/** `/24`, `netmask 0xffffff00`, `netmask 255.255.255.0`, `Mask:255.255.255.0`, `prefixlen 64`. */
function prefixOf(slash: string | undefined, line: string): { prefix?: number } {
  const length = slash ?? /\bprefixlen (\d{1,3})/.exec(line)?.[1]
  if (length !== undefined) return numbered('prefix', length)
  const mask = /\b(?:netmask|Mask)[: ](0x[0-9a-f]{8}|[\d.]{7,15})/i.exec(line)?.[1]
  if (mask === undefined) return {}
  const bits = mask.startsWith('0x')
    ? Number(mask)
    : mask.split('.').reduce((sum, octet) => sum * 256 + (Number(octet) & 255), 0)
  return { prefix: bits.toString(2).replaceAll('0', '').length }
}

const numbered = <K extends string>(key: K, text: string | undefined): { [name in K]?: number } =>
  text === undefined ? {} : ({ [key]: Number(text) } as { [name in K]?: number })

function setMac(one: Growing, text: string | undefined): void {
  const mac = text?.toLowerCase()
  if (mac !== undefined && MAC.test(mac) && !NO_MAC.test(mac)) one.mac = mac
}

function grow(found: Map<string, Growing>, text: string): Growing | undefined {
  const name = word(text) ?? ''
  const known = found.get(name)
  if (known || found.size >= INTERFACES_MAX) return known
  const one: Growing = { name, addresses: [], isUp: false }
  found.set(name, one)
  return one
}

/**
 * Made by software on the machine: bridges and pairs of containers, tunnels. Their addresses (172.17.0.1) and hardware
 * addresses are the same on many machines, or new at each start, and identify nothing.
 */
const MADE =
  /^(lo|lo\d+|docker|br-|veth|virbr|vnet|tap|tun|utun|wg|cni|flannel|cali|kube|nodelocaldns|lxcbr|lxdbr|lxc|podman|dummy|ifb|sit|gre|ip6|ipip|teql|vxlan|bridge|awdl|llw|anpi|ap\d|gif|stf|pflog|pfsync|enc|zt|tailscale|fw(br|ln|pr)|vmnet|vboxnet)/

/** Interfaces that stand for the machine; `physical` are those whose device the kernel knows. */
export function own(interfaces: readonly Interface[], physical: ReadonlySet<string>): readonly Interface[] {
  return interfaces.filter(({ name }) => physical.has(name) || !MADE.test(name))
}
