import { elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import type { PlatformObject } from '../hypervisor/machine-observation.ts'
import type { Found } from './property-collector.ts'
import { powerOf } from './esxi-host.ts'
import { asFlag, cloudIdOf, keyOf, type Platform } from './clusters-and-datastores.ts'
import { asNumber, listIn, numberIn, textIn, type Properties } from './property-paths.ts'
import { typeOf } from './soap.ts'
import { plain, referenceIn, referencesIn } from './inventory-tree.ts'

/** A virtual machine or a template of one. */
export function describeMachine(found: Found, platform: Platform): PlatformObject {
  const { properties } = found
  const instance = textIn(properties, 'config.instanceUuid')
  const isOn = textIn(properties, 'runtime.powerState') === 'poweredOn'
  const cards = cardsOf(properties, platform)
  return {
    sourceKey: keyOf(platform, found),
    assetType: 'virtual_machine',
    name: plain(textIn(properties, 'name') ?? ''),
    os: textIn(properties, 'guest.guestFullName') ?? configuredOs(properties),
    vendor: 'VMware, Inc.',
    model: 'VMware Virtual Platform',
    cloudId: instance === undefined ? undefined : cloudIdOf(platform, instance.toLowerCase()),
    uuid: textIn(properties, 'config.uuid'),
    macs: cards.map(({ mac }) => mac),
    hostnames: [textIn(properties, 'guest.hostName')],
    // of a machine that is off somebody else may have them by now
    addresses: isOn ? addressesOf(properties) : [],
    tags: asFlag(textIn(properties, 'config.template')) ? ['template'] : [],
    facts: factsOf(found, platform, cards),
  }
}

function factsOf(
  { properties, hidden }: Found,
  platform: Platform,
  cards: readonly Card[],
): PlatformObject['facts'] {
  const host = referenceIn(properties, 'runtime.host')
  const names = (name: string): string[] =>
    referencesIn(properties, name).flatMap((each) => platform.tree.nameOf(each) ?? [])
  return {
    platform: platform.fullName,
    managedBy: platform.isVCenter ? platform.host : undefined,
    powerState: powerOf(textIn(properties, 'runtime.powerState')),
    connectionState: textIn(properties, 'runtime.connectionState'),
    template: asFlag(textIn(properties, 'config.template')) || undefined,
    host: platform.tree.nameOf(host),
    cluster: host && platform.tree.clusterOf(host),
    datacenter: platform.isVCenter ? platform.tree.above(properties, 'Datacenter')?.name : undefined,
    folder: platform.isVCenter ? platform.tree.pathOf(properties) : undefined,
    cpuCount: numberIn(properties, 'config.hardware.numCPU'),
    memoryMb: numberIn(properties, 'config.hardware.memoryMB'),
    disks: disksOf(properties),
    interfaces: cards.map(({ name, mac, network }) => ({
      name,
      mac,
      network,
      addresses: guestCards(properties).flatMap((it) => (it.mac === mac ? it.addresses : [])),
    })),
    datastores: names('datastore'),
    networks: names('network'),
    biosUuid: textIn(properties, 'config.uuid'),
    instanceUuid: textIn(properties, 'config.instanceUuid'),
    configuredOs: textIn(properties, 'config.guestFullName'),
    guestId: textIn(properties, 'config.guestId'),
    hardwareVersion: textIn(properties, 'config.version'),
    firmware: textIn(properties, 'config.firmware'),
    toolsState: textIn(properties, 'guest.toolsRunningStatus'),
    toolsVersion: textIn(properties, 'guest.toolsVersion'),
    annotation: textIn(properties, 'config.annotation'),
    attributes: attributesOf(properties),
    hidden,
  }
}

/** What the machine was made for; `Other` says nothing. */
function configuredOs(properties: Properties): string | undefined {
  const name = textIn(properties, 'config.guestFullName')
  return name === undefined || /^other/i.test(name) ? undefined : name
}

interface Card {
  readonly name: string
  readonly mac: string
  readonly network: string
}

const devicesOf = (properties: Properties): XmlElement[] =>
  listIn(properties, 'config.hardware.device', 'VirtualDevice')

function cardsOf(properties: Properties, { tree }: Platform): Card[] {
  return devicesOf(properties).flatMap((device): Card[] => {
    const mac = textAt(device, 'macAddress')
    const portgroup = textAt(device, 'backing', 'port', 'portgroupKey')
    const network =
      portgroup === undefined
        ? textAt(device, 'backing', 'deviceName')
        : tree.nameOf({ type: 'DistributedVirtualPortgroup', value: portgroup })
    const name = textAt(device, 'deviceInfo', 'label') ?? ''
    return mac === undefined ? [] : [{ name, mac, network: network ?? '' }]
  })
}

function disksOf(properties: Properties): { name: string; sizeBytes: number; file: string }[] {
  return devicesOf(properties)
    .filter((device) => typeOf(device) === 'VirtualDisk')
    .map((disk) => {
      const bytes = asNumber(textAt(disk, 'capacityInBytes'))
      const kilobytes = asNumber(textAt(disk, 'capacityInKB'))
      return {
        name: textAt(disk, 'deviceInfo', 'label') ?? '',
        sizeBytes: bytes || (kilobytes ?? 0) * 1024,
        file: textAt(disk, 'backing', 'fileName') ?? '',
      }
    })
}

interface GuestCard {
  readonly mac: string
  readonly addresses: string[]
  /** VMware Tools report bridges and tunnels inside the guest too; these are no network cards of the machine. */
  readonly isDevice: boolean
}

function guestCards(properties: Properties): GuestCard[] {
  return listIn(properties, 'guest.net', 'GuestNicInfo').map((card) => ({
    mac: textAt(card, 'macAddress') ?? '',
    addresses: elements(card, 'ipAddress').flatMap((it) =>
      typeof it['#text'] === 'string' ? it['#text'].trim() : [],
    ),
    isDevice: asNumber(textAt(card, 'deviceConfigId')) !== undefined,
  }))
}

function addressesOf(properties: Properties): string[] {
  const main = textIn(properties, 'guest.ipAddress')
  const others = guestCards(properties).flatMap((card) => (card.isDevice ? card.addresses : []))
  return [...(main === undefined ? [] : [main]), ...others]
}

/** Fields that the people of this vCenter made, such as owner or cost centre. */
function attributesOf(properties: Properties): Record<string, string> {
  const names = new Map(
    listIn(properties, 'availableField', 'CustomFieldDef').map((it) => [
      textAt(it, 'key'),
      textAt(it, 'name'),
    ]),
  )
  const values = listIn(properties, 'customValue', 'CustomFieldValue').flatMap((it) => {
    const [name, value] = [names.get(textAt(it, 'key')), textAt(it, 'value')]
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values) as Record<string, string>
}
