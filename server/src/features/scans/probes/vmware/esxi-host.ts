import { elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { PlatformObject } from '../hypervisor/machine-observation.ts'
import type { Found } from './property-collector.ts'
import { asFlag, cloudIdOf, keyOf, megabytes, type Platform } from './clusters-and-datastores.ts'
import { listIn, numberIn, textIn, type Properties } from './property-paths.ts'
import { plain, referencesIn } from './inventory-tree.ts'

/** An ESXi host. */
export function describeHost(found: Found, platform: Platform): PlatformObject {
  const { properties } = found
  const hardware = (...path: string[]): string | undefined =>
    textIn(properties, 'hardware.systemInfo', ...path) ?? textIn(properties, 'summary.hardware', ...path)
  const own = ownNetworksOf(properties)
  const name = plain(textIn(properties, 'name') ?? '')
  return {
    sourceKey: keyOf(platform, found),
    assetType: 'hypervisor',
    name,
    os: textIn(properties, 'summary.config.product', 'fullName'),
    vendor: hardware('vendor'),
    model: hardware('model'),
    cloudId: cloudIdOf(platform, found.value),
    serial: serialOf(properties),
    uuid: hardware('uuid'),
    macs: [...cardsOf(properties).map(({ mac }) => mac), ...own.map(({ mac }) => mac)],
    hostnames: [name, fullNameOf(properties)],
    addresses: own.flatMap(({ addresses }) => addresses),
    facts: factsOf(found, platform),
  }
}

function factsOf({ properties, hidden }: Found, platform: Platform): PlatformObject['facts'] {
  const hardware = (name: string): number | undefined => numberIn(properties, 'summary.hardware', name)
  return {
    platform: platform.fullName,
    managedBy: platform.isVCenter ? platform.host : undefined,
    datacenter: platform.isVCenter ? platform.tree.above(properties, 'Datacenter')?.name : undefined,
    cluster: platform.tree.above(properties, 'ClusterComputeResource')?.name,
    version: textIn(properties, 'summary.config.product', 'version'),
    build: textIn(properties, 'summary.config.product', 'build'),
    bios: textIn(properties, 'hardware.biosInfo', 'biosVersion'),
    cpuModel: textIn(properties, 'summary.hardware', 'cpuModel'),
    cpuSockets: hardware('numCpuPkgs'),
    cpuCores: hardware('numCpuCores'),
    cpuCount: hardware('numCpuThreads'),
    memoryMb: megabytes(hardware('memorySize')),
    powerState: powerOf(textIn(properties, 'runtime.powerState')),
    connectionState: textIn(properties, 'runtime.connectionState'),
    maintenance: asFlag(textIn(properties, 'runtime.inMaintenanceMode')),
    interfaces: [
      ...cardsOf(properties).map(({ name, mac }) => ({ name, mac })),
      ...networksOf(properties).map(({ name, mac, addresses, network }) => ({
        name,
        mac,
        addresses,
        network,
      })),
    ],
    datastores: referencesIn(properties, 'datastore').flatMap((each) => platform.tree.nameOf(each) ?? []),
    hidden,
  }
}

export const powerOf = (state: string | undefined): string | undefined =>
  state === undefined ? undefined : (powerStates[state] ?? state)

const powerStates: Readonly<Record<string, string>> = {
  poweredOn: 'on',
  poweredOff: 'off',
  suspended: 'suspended',
  standBy: 'standby',
}

/** The machine's own serial number, not that of the enclosure that blades share. */
function serialOf(properties: Properties): string | undefined {
  const reported = textIn(properties, 'hardware.systemInfo', 'serialNumber')
  if (reported !== undefined) return reported
  const tags = ['hardware.systemInfo', 'summary.hardware'].flatMap((name) =>
    listIn(properties, name, 'otherIdentifyingInfo'),
  )
  const byKey = (key: string): string | undefined => {
    const tag = tags.find((it) => textAt(it, 'identifierType', 'key') === key)
    return tag && textAt(tag, 'identifierValue')
  }
  return byKey('SerialNumberTag') ?? byKey('ServiceTag')
}

interface Interface {
  readonly name: string
  readonly mac: string
}

function cardsOf(properties: Properties): Interface[] {
  return listIn(properties, 'config.network.pnic', 'PhysicalNic').map((card) => ({
    name: textAt(card, 'device') ?? '',
    mac: textAt(card, 'mac') ?? '',
  }))
}

interface OwnNetwork extends Interface {
  readonly addresses: string[]
  readonly network: string
  readonly stack: string
}

/** The host's own addresses: management, but also vMotion and storage. */
function networksOf(properties: Properties): OwnNetwork[] {
  return listIn(properties, 'config.network.vnic', 'HostVirtualNic').map((each) => ({
    name: textAt(each, 'device') ?? '',
    mac: textAt(each, 'spec', 'mac') ?? '',
    network: textAt(each, 'portgroup') ?? '',
    stack: textAt(each, 'spec', 'netStackInstanceKey') ?? DEFAULT_STACK,
    addresses: [...textsAt(each, 'spec', 'ip', 'ipAddress'), ...sixesOf(each)],
  }))
}

const DEFAULT_STACK = 'defaultTcpipStack'

/** Networks of their own, such as vMotion's, use the same addresses in many places and identify no host. */
const ownNetworksOf = (properties: Properties): OwnNetwork[] =>
  networksOf(properties).filter(({ stack }) => stack === DEFAULT_STACK)

const textsAt = (element: XmlElement, ...path: string[]): string[] =>
  [textAt(element, ...path)].filter((it) => it !== undefined)

const sixesOf = (element: XmlElement): string[] =>
  elements(element, 'spec', 'ip', 'ipV6Config', 'ipV6Address').flatMap((it) => textAt(it, 'ipAddress') ?? [])

function fullNameOf(properties: Properties): string | undefined {
  const host = textIn(properties, 'config.network.dnsConfig', 'hostName')
  const domain = textIn(properties, 'config.network.dnsConfig', 'domainName')
  return host !== undefined && domain !== undefined ? `${host}.${domain}` : host
}
