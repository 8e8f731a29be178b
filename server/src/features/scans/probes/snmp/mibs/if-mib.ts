import type { Source } from './table.ts'
import { table } from './table.ts'
import { line, mac, number } from '../protocol/textual-conventions.ts'

/** One row of IF-MIB (RFC 2863). */
export interface Interface {
  readonly index: number
  /** ifName where there is one, else ifDescr. */
  readonly name: string
  readonly alias?: string | undefined
  /** IANAifType. */
  readonly type?: number | undefined
  readonly mac?: string | undefined
  readonly bitsPerSecond?: number | undefined
  readonly admin?: string | undefined
  readonly oper?: string | undefined
}

const ifTable = table('ifTable', '1.3.6.1.2.1.2.2.1', {
  descr: 2,
  type: 3,
  speed: 5,
  mac: 6,
  admin: 7,
  oper: 8,
})
const ifXTable = table('ifXTable', '1.3.6.1.2.1.31.1.1.1', { name: 1, highSpeed: 15, alias: 18 })

const MEGABIT = 1_000_000
/** ifSpeed says this when the speed has no room in it. */
const SPEED_FULL = 0xffff_ffff

export async function readInterfaces(source: Source): Promise<Interface[]> {
  const rows = await source.rows(ifTable)
  const more = new Map((await source.rows(ifXTable)).map((row) => [row.index[0], row.cells]))
  return rows.flatMap(({ index: [index], cells }): Interface[] => {
    if (index === undefined) return []
    const extra = more.get(index) ?? {}
    const megabits = number(extra.highSpeed) ?? 0
    const speed = number(cells.speed)
    return [
      {
        index,
        name: line(extra.name) ?? line(cells.descr) ?? String(index),
        alias: line(extra.alias),
        type: number(cells.type),
        mac: mac(cells.mac),
        bitsPerSecond: megabits > 0 ? megabits * MEGABIT : speed === SPEED_FULL ? undefined : speed,
        admin: states[number(cells.admin) ?? 0],
        oper: states[number(cells.oper) ?? 0],
      },
    ]
  })
}

const states: Readonly<Record<number, string | undefined>> = {
  1: 'up',
  2: 'down',
  3: 'testing',
  4: 'unknown',
  5: 'dormant',
  6: 'notPresent',
  7: 'lowerLayerDown',
}

/** IANAifType of what carries the device's own hardware address: Ethernet of all sorts, radio, bundles, VLANs, bridges. */
const OWN_TYPES: ReadonlySet<number> = new Set([6, 7, 26, 53, 62, 69, 71, 117, 127, 135, 136, 161, 209])
const LOOPBACK = 24
/** Made by virtualisation on the host; the addresses are the same on every host, or their guests'. */
const MADE_NAMES =
  /^(docker|br-|virbr|veth|vnet|tap|tun|wg|cni|cali|flannel|kube|podman|lxc|lxd|vmnet|vboxnet|dummy|ifb|cilium|weave|ovs-|nodelocaldns|zt|vEthernet \()/i

/** Whether the interface's addresses identify this device. */
export const isOwn = ({ type, name }: Interface): boolean => type !== LOOPBACK && !MADE_NAMES.test(name)

export const hasOwnMac = (it: Interface): boolean => isOwn(it) && OWN_TYPES.has(it.type ?? 0)
