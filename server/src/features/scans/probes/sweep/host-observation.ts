import type { Identifier, Json, Observation } from '#features/assets/observation.ts'
import type { Live } from './host-discovery.ts'
import { isLife } from './tcp-connect.ts'
import { bestName } from './host-names.ts'
import type { Told } from './name-queries.ts'

/** A host with what its services told, and the id of its SNMP engine. */
export interface Described extends Live {
  readonly services?: Readonly<Record<string, Json>>
  readonly engine?: string | undefined
}

/** What a sweep saw of a host, in the form of the intake. The type stays open: an address does not tell it. */
export function observationOf(live: Described, told: Told, seenAt: Date): Observation {
  const { address } = live
  const mac = live.mac ?? told.netbios?.mac
  const names = { dns: told.dns, mdns: told.mdns, netbios: told.netbios?.name }
  const hostnames = [...new Set([names.mdns, names.netbios].filter((it) => it !== undefined))]
  const name = bestName(names, address)
  const identifiers: Identifier[] = [
    { type: 'ip', value: address },
    ...(mac === undefined ? [] : [{ type: 'mac' as const, value: mac }]),
    ...(live.engine === undefined ? [] : [{ type: 'snmp_engine' as const, value: live.engine }]),
    ...hostnames.map((value) => ({ type: 'hostname' as const, value })),
    // the reverse zone names the address: whoever has it today need not be the machine that was meant
    ...(told.dns === undefined ? [] : [{ type: 'ptr_name' as const, value: told.dns }]),
  ]
  return {
    sourceKey: `${address}|${mac ?? ''}`,
    seenAt,
    ...(name !== undefined && { name }),
    identifiers,
    facts: factsOf(live, told),
  }
}

function factsOf(live: Described, told: Told): Readonly<Record<string, Json>> {
  const open = [...live.ports].filter(([, answer]) => answer.state === 'open').map(([port]) => port)
  const rtts = [...live.ports.values()].filter(isLife).map((it) => it.rttMs)
  const rttMs = Math.min(live.rttMs ?? Number.POSITIVE_INFINITY, ...rtts)
  return {
    openPorts: open.toSorted((a, b) => a - b),
    foundBy: live.foundBy,
    ...(Number.isFinite(rttMs) && { rttMs: rounded(rttMs) }),
    ...(told.mdns !== undefined && { mdnsName: `${told.mdns}.local` }),
    ...(told.netbios?.domain !== undefined && { netbiosDomain: told.netbios.domain }),
    ...(told.ssdp?.server !== undefined && { ssdpServer: told.ssdp.server }),
    ...(told.ssdp?.location !== undefined && { ssdpLocation: told.ssdp.location }),
    ...live.services,
  }
}

/** Up to the next of 1, 2, 5, 10, 20, 50 …: coarse, so that the same host looks the same at the next sweep. */
function rounded(ms: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(ms, 1)))
  return ([1, 2, 5].find((step) => ms <= step * decade) ?? 10) * decade
}
