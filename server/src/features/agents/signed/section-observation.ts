import { isIP } from 'node:net'
import { normaliseIdentifier } from '#features/assets/assets.ts'
import type {
  Identifier,
  IdentifierType,
  Observation,
  OsRelease,
  SoftwareReport,
} from '#features/assets/observation.ts'
import { interfacesIn } from '../mapping/network-interfaces.ts'
import type { Sections, SoftwareChanges } from './report-sections.ts'
import { factsIn } from './section-facts.ts'
import { changedSoftware, releaseIn, softwareIn } from './section-software.ts'
import { fieldsOf, rowsOf, textOf, textsOf, type Fields } from './section-values.ts'

export interface SectionObservation {
  /** All sections of the host that are known, those that did not change included. */
  readonly sections: Sections
  /** How the software differs from what is known; absent: `sections` has the whole list, or it is as it was. */
  readonly softwareChanges?: SoftwareChanges
  /** Of the agent's present key, in hexadecimal digits. */
  readonly keyId: string
  readonly sourceKey: string
  readonly seenAt: Date
  readonly tags: readonly string[]
  readonly agentVersion: string
  readonly knownOrigins: readonly string[]
}

/** To be raised with each change of what the same sections become; a test compares what they become. */
const MAPPING = 2

/** What decides about an observation beside the sections: while it is the same, equal sections are an equal observation. */
export const madeFrom = (keyId: Buffer): string => `${MAPPING} ${keyId.toString('hex')}`

/** The observation of a host by our own agent. Without the section `software` the installed software stays as it was. */
export function observationIn(input: SectionObservation): Observation {
  const { sections } = input
  const [os, hardware] = [fieldsOf(sections['os']), fieldsOf(sections['hardware'])]
  const release = releaseIn(os)
  const [name, vendor, model] = [
    textOf(os, 'hostname'),
    textOf(hardware, 'vendor'),
    textOf(hardware, 'model'),
  ]
  const systemName = release && (release.prettyName ?? `${release.id} ${release.versionId}`.trim())
  const virtualization = textOf(hardware, 'virtualization')
  return {
    sourceKey: input.sourceKey,
    seenAt: input.seenAt,
    ...(virtualization !== undefined && virtualization !== 'container' && { assetType: 'virtual_machine' }),
    ...(name !== undefined && { name }),
    ...(systemName !== undefined && { os: systemName }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    identifiers: identifiersIn(input, os, hardware),
    tags: input.tags,
    facts: factsIn(sections, input.agentVersion),
    ...softwareOf(input, release),
  }
}

function softwareOf(
  { sections, softwareChanges, knownOrigins }: SectionObservation,
  release: OsRelease | undefined,
): { readonly software?: SoftwareReport } {
  const told = release && { release }
  const list = sections['software']
  if (list !== undefined) return { software: { ...told, ...softwareIn(list, knownOrigins) } }
  if (softwareChanges) return { software: { ...told, ...changedSoftware(softwareChanges) } }
  return told ? { software: { ...told, complete: [], items: [] } } : {}
}

const NAME = /^[A-Za-z0-9_][\w.-]{0,252}$/
const IDENTIFIERS_MAX = 500

/** What cannot be read as an identifier of its type is left out: one odd value must not cost the report. */
function identifiersIn({ sections, keyId }: SectionObservation, os: Fields, hardware: Fields): Identifier[] {
  const cloud = fieldsOf(sections['cloud'])
  const [provider, instanceId] = [textOf(cloud, 'provider'), textOf(cloud, 'instanceId')]
  const { macs, addresses } = interfacesIn(networksIn(sections))
  const hostname = textOf(os, 'hostname')?.toLowerCase() ?? ''
  const isName = NAME.test(hostname) && isIP(hostname) === 0 && !/^localhost\b/.test(hostname)
  const all: (readonly [IdentifierType, string | undefined])[] = [
    ['agent_key', keyId],
    ['tpm_ek', textOf(hardware, 'tpmEk')],
    ['cloud_id', provider && instanceId && `${provider}:${instanceId}`],
    ['serial', textOf(hardware, 'serial')],
    ['smbios_uuid', textOf(hardware, 'uuid')],
    ['machine_id', textOf(os, 'machineId')],
    ['hostname', isName ? hostname : undefined],
    ...macs.map((it) => ['mac', it] as const),
    ...addresses.map((it) => ['ip', it] as const),
  ]
  return all
    .flatMap(([type, value]): Identifier[] => (value === undefined ? [] : [{ type, value }]))
    .filter((it) => normaliseIdentifier(it).kind === 'value')
    .slice(0, IDENTIFIERS_MAX)
}

/** In the form of the other agents: which interfaces stand for the machine is decided in one place. */
const networksIn = (sections: Sections) =>
  new Map([
    [
      'networks',
      rowsOf(sections['nics']).map(
        (it) =>
          new Map([
            ['description', textOf(it, 'name') ?? ''],
            ['mac', textOf(it, 'mac') ?? ''],
            ['virtualdev', it['isVirtual'] === true ? '1' : '0'],
            ['ipaddress', textsOf(it, 'addresses').join(',')],
          ]),
      ),
    ],
  ])
