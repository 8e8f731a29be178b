import type { Json } from '#features/assets/observation.ts'
import { listWithin } from '../bounded-facts.ts'
import type { Part } from './mibs/entity-mib.ts'
import type { Neighbour } from './mibs/lldp-and-cdp.ts'
import type { Device } from './read-device.ts'
import { given } from './protocol/textual-conventions.ts'

type Facts = Readonly<Record<string, Json>>

/** How long each list may be as JSON; together they stay below the 64 kB that an observation may carry. */
const LENGTHS = {
  chassis: 4_000,
  modules: 5_000,
  interfaces: 18_000,
  neighbours: 9_000,
  storage: 3_000,
  devices: 2_000,
  supplies: 1_500,
  vlans: 3_000,
  nearby: 6_000,
  stations: 6_000,
  virtualAddresses: 500,
  cuts: 1_500,
} as const

/**
 * The facts of a device. Those that recognition reads come first, under the names that it knows; no other key may
 * resemble one of those, or the text of a neighbour would be read as the device's own.
 */
export function factsOf(device: Device, seenAt: Date): Facts {
  const { system, own, host, printer, switching, version } = device
  const notListed: Record<string, number> = {}
  // tables are read as texts, numbers and booleans, which their interfaces do not say
  const list = (name: keyof typeof LENGTHS, rows: readonly (object | Json)[]): Facts => {
    const items = rows as readonly Json[]
    if (items.length === 0) return {}
    const listed = listWithin(items, LENGTHS[name]).items
    if (listed.length < items.length) notListed[name] = items.length - listed.length
    return { [name]: listed }
  }
  const facts: Facts = {
    ...given({ sysDescr: system.description, sysObjectID: system.objectId }),
    ...(descriptionsOf(device).length > 0 && { snmpDescriptions: descriptionsOf(device) }),
    askedBy: `SNMPv${version}`,
    ...given({
      sysName: system.name,
      sysContact: system.contact,
      sysLocation: system.location,
      sysServices: system.services,
      firmware: own.version ?? device.entity.chassis[0]?.software,
      bootedAt: bootedAt(host.upTicks ?? system.upTicks, seenAt),
      memoryKb: host.memoryKb,
      pagesPrinted: printer?.pages,
      bridgeMac: switching?.bridgeMac,
    }),
    ...list('chassis', device.entity.chassis.map(partFact)),
    ...list('neighbours', neighboursOf(device)),
    ...list('interfaces', interfacesOf(device)),
    ...list('modules', device.entity.modules.map(partFact)),
    ...list('storage', host.storage),
    ...list('devices', host.devices),
    ...list('supplies', printer?.supplies ?? []),
    ...list('vlans', switching?.vlans ?? []),
    ...list('nearby', withInterface(device, device.nearby)),
    ...list('stations', withInterface(device, switching?.stations ?? [])),
    ...list('virtualAddresses', [...device.virtualAddresses]),
    ...list('cuts', device.cuts),
  }
  return { ...facts, ...(Object.keys(notListed).length > 0 && { notListed }) }
}

const DESCRIPTIONS_MAX = 4

/** What parts of the device say of the whole. */
function descriptionsOf({ entity, host, own, printer }: Device): string[] {
  // a host lists the printers that it can print on
  const printers = printer ? host.devices.filter((it) => it.kind === 'printer').map((it) => it.text) : []
  const chassis = entity.chassis.map((it) => [it.maker, it.model, it.text].filter(Boolean).join(' '))
  const maker = own.model === undefined ? [] : [`${own.vendor ?? ''} ${own.model}`]
  return [...new Set([...chassis, ...printers, ...maker])].filter(Boolean).slice(0, DESCRIPTIONS_MAX)
}

const TEN_MINUTES_MS = 600_000

/** Coarse, so that the same uptime looks the same at the next scan. */
function bootedAt(ticks: number | undefined, seenAt: Date): string | undefined {
  if (ticks === undefined || ticks <= 0) return undefined
  const at = Math.round((seenAt.getTime() - ticks * 10) / TEN_MINUTES_MS) * TEN_MINUTES_MS
  return new Date(Math.max(at, 0)).toISOString()
}

function partFact({ name, text, maker, model, serial, hardware, firmware, software }: Part): Json {
  return given({ name, text, maker, model, serial, hardware, firmware, software }) as Json
}

function interfacesOf({ interfaces, addresses }: Device): Json[] {
  const held = Map.groupBy(addresses, (it) => it.interfaceIndex)
  return interfaces.map(({ index, ...it }) => {
    const own = (held.get(index) ?? []).map(({ address, prefix }) =>
      prefix === undefined ? address : `${address}/${prefix}`,
    )
    return { ...given(it), ...(own.length > 0 && { addresses: own }) } as Json
  })
}

const TEXT_LENGTH_MAX = 200

/** Links to neighbours; the remote end with all that LLDP or CDP reports, so that it can be matched to an asset. */
function neighboursOf({ interfaces, lldp, cdp }: Device): Json[] {
  const nameOf = new Map(interfaces.map((it) => [it.index, it.name]))
  return [...lldp.neighbours, ...cdp].map(({ localIndex, remoteText, ...it }: Neighbour) => {
    const localInterface =
      it.localInterface ?? (localIndex === undefined ? undefined : nameOf.get(localIndex))
    return given({ ...it, localInterface, remoteText: remoteText?.slice(0, TEXT_LENGTH_MAX) }) as Json
  })
}

function withInterface(
  { interfaces }: Device,
  entries: readonly { readonly interfaceIndex: number | undefined }[],
): Json[] {
  const nameOf = new Map(interfaces.map((it) => [it.index, it.name]))
  return entries.map(({ interfaceIndex, ...it }) => {
    const local = interfaceIndex === undefined ? undefined : nameOf.get(interfaceIndex)
    return { ...it, ...given({ localInterface: local }) } as Json
  })
}
