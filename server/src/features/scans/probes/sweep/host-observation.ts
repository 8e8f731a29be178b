import type { Identifier, Json, Observation } from '#features/assets/observation.ts'
import type { LiveHost } from './host-discovery.ts'
import { isAlive } from './tcp-connect.ts'
import { bestName } from './names/host-names.ts'
import type { NameAnswers } from './names/name-queries.ts'

/** A host with the responses of its services, and the id of its SNMP engine. */
export interface ScannedHost extends LiveHost {
  readonly services?: Readonly<Record<string, Json>>
  readonly engine?: string | undefined
}

/** The observation of a host found by a sweep. Without an asset type, which ports and names alone do not prove. `stopped`: why it was asked no more. */
export function observationOf(
  live: ScannedHost,
  reported: NameAnswers,
  seenAt: Date,
  stopped?: string,
): Observation {
  const { address } = live
  const mac = live.mac ?? reported.netbios?.mac
  const names = { dns: reported.dns, mdns: reported.mdns, netbios: reported.netbios?.name }
  const hostnames = [...new Set([names.mdns, names.netbios].filter((it) => it !== undefined))]
  const name = bestName(names, address)
  const identifiers: Identifier[] = [
    { type: 'ip', value: address },
    ...(mac === undefined ? [] : [{ type: 'mac' as const, value: mac }]),
    ...(live.engine === undefined ? [] : [{ type: 'snmp_engine' as const, value: live.engine }]),
    ...hostnames.map((value) => ({ type: 'hostname' as const, value })),
    // the reverse zone names the address: whoever has it today need not be the machine that was meant
    ...(reported.dns === undefined ? [] : [{ type: 'ptr_name' as const, value: reported.dns }]),
  ]
  return {
    sourceKey: `${address}|${mac ?? ''}`,
    seenAt,
    ...(name !== undefined && { name }),
    identifiers,
    facts: {
      ...factsOf(live, reported),
      ...(stopped !== undefined && { notes: [`asked no more: ${stopped}`] }),
    },
  }
}

function factsOf(live: ScannedHost, reported: NameAnswers): Readonly<Record<string, Json>> {
  const open = [...live.ports].filter(([, answer]) => answer.state === 'open').map(([port]) => port)
  // silence is no answer: a filter may drop what comes
  const answered = [...live.ports].filter(([, answer]) => isAlive(answer)).map(([port]) => port)
  const rtts = [...live.ports.values()].filter(isAlive).map((it) => it.rttMs)
  const rttMs = Math.min(live.rttMs ?? Number.POSITIVE_INFINITY, ...rtts)
  return {
    openPorts: open.toSorted((a, b) => a - b),
    askedPorts: answered.toSorted((a, b) => a - b),
    foundBy: live.foundBy,
    ...(Number.isFinite(rttMs) && { rttMs: rounded(rttMs) }),
    ...(reported.mdns !== undefined && { mdnsName: `${reported.mdns}.local` }),
    ...(reported.netbios?.domain !== undefined && { netbiosDomain: reported.netbios.domain }),
    ...(reported.ssdp?.server !== undefined && { ssdpServer: reported.ssdp.server }),
    ...(reported.ssdp?.location !== undefined && { ssdpLocation: reported.ssdp.location }),
    ...live.services,
  }
}

/** Up to the next of 1, 2, 5, 10, 20, 50 …: coarse, so that the same host looks the same at the next sweep. */
function rounded(ms: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(ms, 1)))
  return ([1, 2, 5].find((step) => ms <= step * decade) ?? 10) * decade
}
