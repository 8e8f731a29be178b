import { isIP } from 'node:net'
import type { Identifier, Observation, SoftwareReport } from '#features/assets/observation.ts'
import { shortened } from '#platform/validation/shortened.ts'
import type { Content, Inventory, Row } from '../messages/message.ts'
import { factsIn } from './inventory-facts.ts'
import { softwareIn } from './inventory-software.ts'
import { interfacesIn } from './network-interfaces.ts'
import { releaseIn } from './os-release.ts'

export interface ObservationInput {
  /** The latest inventory together with the categories that it left out. */
  readonly inventory: Inventory
  readonly sourceKey: string
  readonly seenAt: Date
  /** Given by the token. */
  readonly tags: readonly string[]
  /** Origins that the agent's list of software named before. */
  readonly knownOrigins: readonly string[]
  /** Whether the latest inventory itself has the list of software. */
  readonly hasSoftware: boolean
}

/**
 * The observation of one host. What an agent calls itself is its source key and identifies nothing: reinstalling changes
 * it, and clones share it. `HOSTID` is left out as well, being made of 127.0.1.1 on many hosts.
 */
export function observationOf(input: ObservationInput): Observation {
  const { inventory, sourceKey, seenAt } = input
  const { content } = inventory
  const [hardware, bios] = [first(content, 'hardware'), first(content, 'bios')]
  const names = namesIn(content)
  const release = releaseIn(content)
  const software: SoftwareReport | undefined = input.hasSoftware
    ? { ...(release && { release }), ...softwareIn(content, release, input.knownOrigins) }
    : release && { release, complete: [], items: [] }
  const name = stated(hardware?.get('name')) ?? names[0]
  const vendor = stated(bios?.get('smanufacturer')) ?? stated(bios?.get('mmanufacturer'))
  const model = stated(bios?.get('smodel')) ?? stated(bios?.get('mmodel'))
  const told = inventory.tag === '' ? [] : [shortened(inventory.tag, TAG_LENGTH_MAX)]
  return {
    sourceKey,
    seenAt,
    ...(isGuest(hardware, bios) && { assetType: 'virtual_machine' }),
    ...(name !== undefined && { name }),
    ...(release?.prettyName !== undefined && { os: release.prettyName }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    identifiers: identifiersOf(content, names),
    tags: [...new Set([...input.tags, ...told])],
    facts: factsIn(inventory),
    ...(software && { software }),
  }
}

/** Serial number and SMBIOS UUID as reported: what tells two hosts of one device id apart. */
export function hardwareOf(content: Content): { readonly serial?: string; readonly uuid?: string } {
  const [hardware, bios] = [first(content, 'hardware'), first(content, 'bios')]
  const serial = stated(bios?.get('ssn')) ?? stated(bios?.get('enclosureserial'))
  const uuid = stated(hardware?.get('uuid'))
  return { ...(serial !== undefined && { serial }), ...(uuid !== undefined && { uuid }) }
}

export const first = (content: Content, category: string): Row | undefined => content.get(category)?.[0]

/** Undefined for what agents write where there is nothing. */
export const stated = (text: string | undefined): string | undefined =>
  text === undefined || /^(|n\/a|none|unknown|not specified)$/i.test(text) ? undefined : text

const TAG_LENGTH_MAX = 255
const IDENTIFIERS_MAX = 500
const NAME = /^[A-Za-z0-9_][\w.-]{0,252}$/

/** With a domain first: the agent's host name, then the short one with the domain that OCS tells as the work group. */
function namesIn(content: Content): string[] {
  const [system, hardware] = [first(content, 'operatingsystem'), first(content, 'hardware')]
  const name = stated(hardware?.get('name'))
  const domain = stated(system?.get('dns_domain')) ?? stated(hardware?.get('workgroup'))
  const full =
    name !== undefined && domain?.includes('.') && !name.includes('.') ? `${name}.${domain}` : undefined
  const names = [stated(system?.get('fqdn')), full, name].filter((it) => it !== undefined)
  const fit = names
    .map((it) => it.toLowerCase())
    .filter((it) => NAME.test(it) && !isIP(it) && !/^localhost\b/.test(it))
  return [...new Set(fit)]
}

function identifiersOf(content: Content, names: readonly string[]): Identifier[] {
  const { serial, uuid } = hardwareOf(content)
  const { macs, addresses } = interfacesIn(content)
  const of = (type: Identifier['type'], values: readonly (string | undefined)[]): Identifier[] =>
    values.filter((it) => it !== undefined).map((value) => ({ type, value }))
  return [
    ...of('serial', [serial]),
    ...of('smbios_uuid', [uuid]),
    ...of('hostname', names),
    ...of('mac', macs),
    ...of('ip', addresses),
  ].slice(0, IDENTIFIERS_MAX)
}

/** `Docker` and `Physical` are told by agents inside of virtual machines too, so they say nothing. */
const GUEST_SYSTEM =
  /vmware|virtualbox|qemu|kvm|xen|hyper-?v|virtual machine|virtuozzo|openvz|lxc|parallels|bhyve|aix.?lpar|solaris zone|bsdjail/i
const GUEST_MODEL =
  /vmware|virtualbox|qemu|kvm|bochs|hvm domu|parallels|virtual machine|openstack|google compute engine/i

const isGuest = (hardware: Row | undefined, bios: Row | undefined): boolean =>
  GUEST_SYSTEM.test(hardware?.get('vmsystem') ?? '') || GUEST_MODEL.test(bios?.get('smodel') ?? '')
