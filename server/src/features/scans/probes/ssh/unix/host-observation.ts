import { cloudInstanceIn } from './cloud-instance.ts'
import { isIP } from 'node:net'
import type { Identifier, Json, Observation, SoftwareReport } from '#features/assets/observation.ts'
import { linesOf, word } from '../terminal-text.ts'
import type { Place } from '../connection/tcp-connect.ts'
import { hostFacts } from './host-facts.ts'
import { handshakeFacts, handshakeIdentifiers, sourceKeyOf } from '../unauthenticated-observation.ts'
import { interfacesIn, own, type Interface } from './read-network.ts'
import { packagesIn } from './read-packages.ts'
import {
  cpuIn,
  hardwareIn,
  natureIn,
  releaseIn,
  unameIn,
  defined,
  type Hardware,
  type Nature,
  type Uname,
} from './read-system.ts'
import type { HandshakeInfo } from '../connection/session.ts'
import type { Answers } from './run-unix-script.ts'

/** The observation of a Unix host. */
export function unixObservation(
  place: Place,
  handshake: HandshakeInfo,
  answers: Answers,
  seenAt: Date,
): Observation {
  const text = (name: string): string => answers.sections.get(name)?.text ?? ''
  const uname = unameIn(text('uname'))
  const release = releaseIn(text('release'), uname)
  const cpu = cpuIn(text('cpu'))
  const reported = hardwareIn(text('hardware'))
  const nature = natureIn(text('virtual'), reported, cpu)
  const hardware: Hardware = nature.isContainer ? {} : reported
  // a container sees the board of its host
  const cloudId = nature.isContainer ? undefined : cloudInstanceIn(text('hardware'), text('cloud-init'))
  const interfaces = interfacesIn(text('interfaces'))
  const names = namesIn(text('hostname'), uname)
  const software: SoftwareReport = { ...(release && { release }), ...packagesIn(answers.sections) }
  const facts: Record<string, Json> = {
    ...handshakeFacts(place, handshake),
    ...hostFacts({ answers, uname, cpu, hardware, nature, interfaces }),
  }
  return {
    sourceKey: sourceKeyOf(place, handshake),
    seenAt,
    ...defined({
      assetType: nature.type,
      name: names[0],
      os: release?.prettyName,
      vendor: hardware.vendor,
      model: hardware.model,
    }),
    identifiers: [
      ...handshakeIdentifiers(place, handshake),
      ...of('cloud_id', cloudId),
      ...hardwareIdentifiers(hardware, nature, word(linesOf(text('machine-id'))[0])),
      ...names.map((value) => ({ type: 'hostname' as const, value })),
      ...networkIdentifiers(place, interfaces, {
        physical: text('ports-of-nature'),
        fixed: text('fixed-addresses'),
      }),
    ].slice(0, IDENTIFIERS_MAX),
    facts,
    software,
  }
}

const IDENTIFIERS_MAX = 500

function namesIn(text: string, uname: Uname): readonly string[] {
  const names = [word(linesOf(text)[0]), uname.name].filter((it) => it !== undefined)
  const fit = names.filter((name) => /^[A-Za-z0-9][\w.-]{0,252}$/.test(name) && !isIP(name))
  return [...new Set(fit.map((name) => name.toLowerCase()))]
}

function hardwareIdentifiers(
  hardware: Hardware,
  nature: Nature,
  machineId: string | undefined,
): readonly Identifier[] {
  const isImage = nature.isContainer && nature.type === undefined
  return [
    ...of('serial', hardware.serial ?? hardware.boardSerial),
    ...of('smbios_uuid', hardware.uuid),
    // what an image brings is the same in all its containers
    ...of('machine_id', isImage || !/^[0-9a-f]{32}$/i.test(machineId ?? '') ? undefined : machineId),
  ]
}

const of = (type: Identifier['type'], value: string | undefined): readonly Identifier[] =>
  value === undefined ? [] : [{ type, value }]

/** Hardware addresses and addresses of the machine's own interfaces; the address that was asked for comes elsewhere. */
function networkIdentifiers(
  place: Place,
  interfaces: readonly Interface[],
  known: { readonly physical: string; readonly fixed: string },
): readonly Identifier[] {
  const physical = new Set(linesOf(known.physical).map((line) => line.trim()))
  const fixed = new Set(known.fixed.match(/[0-9a-f.:]{3,45}/gi))
  const mine = own(interfaces, physical)
  const macs = new Set(mine.flatMap(({ mac }) => mac ?? []))
  const addresses = mine.flatMap((it) => it.addresses).filter(({ ip }) => !/^(127\.|::1$|fe80:)/i.test(ip))
  const ips = [...new Set(addresses.map(({ ip }) => ip))].filter((ip) => ip !== place.address)
  const isFixed = (ip: string): boolean =>
    fixed.has(ip) && !addresses.some((it) => it.ip === ip && it.isLeased)
  return [
    ...[...macs].map((value) => ({ type: 'mac' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value, ...(isFixed(value) && { static: true as const }) })),
  ]
}
