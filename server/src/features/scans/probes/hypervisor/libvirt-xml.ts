import { attribute, elements, parseElement, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { GuestInterface } from './libvirt-calls.ts'
import type { PlatformObject } from './machine-observation.ts'

export interface GuestPlace {
  readonly host: string
  /** As calls tell it; see `powerOf`. */
  readonly state: number | undefined
  readonly addresses: readonly GuestInterface[]
}

/** A document of libvirt; undefined when it is none. */
export function parsed(xml: string, root: string): XmlElement | undefined {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return undefined
  try {
    const element = parseElement(xml.replace(/^\s*<\?xml[^>]{0,200}\?>\s*/, '').trim())
    return new RegExp(`^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!--[\\s\\S]{0,2000}?-->\\s*)?<${root}[\\s/>]`).test(xml)
      ? element
      : undefined
  } catch {
    return undefined
  }
}

/** A guest from its description. */
export function describeGuest(domain: XmlElement, place: GuestPlace): PlatformObject {
  const uuid = textAt(domain, 'uuid')
  const cards = cardsOf(domain)
  const system = firmwareOf(domain)
  const addressesOf = (mac: string): readonly string[] =>
    place.addresses.flatMap((it) => (it.mac?.toLowerCase() === mac ? it.addresses : []))
  const kind = attribute(domain, 'type')
  const osId = osOf(domain)
  return {
    sourceKey: `libvirt/guest/${uuid ?? textAt(domain, 'name') ?? ''}`,
    assetType: 'virtual_machine',
    name: textAt(domain, 'name'),
    os: osId,
    vendor: system('manufacturer') ?? (kind === 'kvm' || kind === 'qemu' ? 'QEMU' : undefined),
    model: system('product'),
    serial: system('serial'),
    uuid: system('uuid') ?? uuid,
    macs: cards.map(({ mac }) => mac),
    addresses: cards.flatMap(({ mac }) => addressesOf(mac)),
    facts: {
      platform: kind === undefined ? 'libvirt' : `libvirt ${kind}`,
      host: place.host,
      powerState: powerOf(place.state),
      title: textAt(domain, 'title'),
      annotation: textAt(domain, 'description'),
      cpuCount: asNumber(textAt(domain, 'vcpu')),
      memoryMb: megabytes(elements(domain, 'memory')[0]),
      machine: elements(domain, 'os', 'type').flatMap((it) => attribute(it, 'machine') ?? [])[0],
      architecture: elements(domain, 'os', 'type').flatMap((it) => attribute(it, 'arch') ?? [])[0],
      disks: disksOf(domain),
      interfaces: cards.map((card) => ({ ...card, addresses: addressesOf(card.mac) })),
      libvirtUuid: uuid,
    },
  }
}

/** The SMBIOS values that the guest's firmware reports, where they are set. */
function firmwareOf(domain: XmlElement): (name: string) => string | undefined {
  const isSet = elements(domain, 'os', 'smbios').some((it) => attribute(it, 'mode') === 'sysinfo')
  const entries = isSet ? elements(domain, 'sysinfo', 'system', 'entry') : []
  return (name) => {
    const entry = entries.find((it) => attribute(it, 'name') === name)
    return entry && textAt({ entry }, 'entry')
  }
}

/** What virt-install and virt-manager note: `http://debian.org/debian/12`. */
function osOf(domain: XmlElement): string | undefined {
  const os = elements(domain, 'metadata', 'libosinfo:libosinfo', 'libosinfo:os')[0]
  const id = os && attribute(os, 'id')
  const [, name, version] = /^https?:\/\/[\w.-]+\/([\w.-]+)\/([\w.-]+)$/.exec(id ?? '') ?? []
  return name !== undefined && version !== undefined ? `${name} ${version}` : undefined
}

const cardsOf = (domain: XmlElement): { name: string; mac: string; network: string; model: string }[] =>
  elements(domain, 'devices', 'interface').flatMap((card) => {
    const first = (element: string, ...names: string[]): string =>
      elements(card, element).flatMap((it) => names.flatMap((name) => attribute(it, name) ?? []))[0] ?? ''
    const mac = first('mac', 'address').toLowerCase()
    const network = first('source', 'network', 'bridge', 'dev', 'portgroup')
    return mac === '' ? [] : [{ name: first('target', 'dev'), mac, network, model: first('model', 'type') }]
  })

const disksOf = (domain: XmlElement): { name: string; kind: string; file: string }[] =>
  elements(domain, 'devices', 'disk').map((disk) => {
    const of = (element: string, ...names: string[]): string =>
      elements(disk, element).flatMap((it) => names.flatMap((name) => attribute(it, name) ?? []))[0] ?? ''
    return {
      name: of('target', 'dev'),
      kind: attribute(disk, 'device') ?? 'disk',
      file: of('source', 'file', 'dev', 'name', 'volume'),
    }
  })

const states: readonly (string | undefined)[] = [
  undefined,
  'on',
  'on', // it waits for something
  'paused',
  'on', // it is being shut down
  'off',
  'crashed',
  'suspended',
]
export const powerOf = (state: number | undefined): string | undefined =>
  state === undefined ? undefined : states[state]

const factors: Readonly<Record<string, number>> = {
  b: 1,
  bytes: 1,
  KB: 1e3,
  k: 1024,
  KiB: 1024,
  MB: 1e6,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
}

function megabytes(memory: XmlElement | undefined): number | undefined {
  const amount = memory && asNumber(textAt({ memory }, 'memory'))
  const factor = memory && factors[attribute(memory, 'unit') ?? 'KiB']
  return amount === undefined || factor === undefined ? undefined : Math.round((amount * factor) / 1024 ** 2)
}

function asNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** What the firmware of the host says of it. */
export function sysinfoOf(xml: string): (part: string, name: string) => string | undefined {
  const sysinfo = parsed(xml, 'sysinfo')
  return (part, name) => {
    const entries = sysinfo ? elements(sysinfo, part, 'entry') : []
    const entry = entries.find((it) => attribute(it, 'name') === name)
    return entry && textAt({ entry }, 'entry')
  }
}
