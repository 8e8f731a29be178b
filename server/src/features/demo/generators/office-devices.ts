import { addressIn, fullName, hostNameAt, siteOf, sitesOf } from '../company.ts'
import type { SeededRandom } from '../seeded-random.ts'
import * as hardware from '../hardware-models.ts'
import type { SourceName } from '../sources.ts'
import { observer, type Estate, type AssetGenerator } from './generator.ts'

const CAMERA_PORTS = [80, 443, 554]
const PHONE_PORTS = [80, 5060]

/** Reported by SNMP with serial number and by the network sweep. */
export const printers: AssetGenerator = {
  name: 'printers',
  share: 20,
  generate: (number, estate, random) =>
    network(number, { estate, random, role: 'prn', third: 64, from: hardware.printers }),
}
export const switches: AssetGenerator = {
  name: 'switches',
  share: 20,
  generate: (number, estate, random) =>
    network(number, { estate, random, role: 'sw', third: 1, from: hardware.switches }),
}
export const accessPoints: AssetGenerator = {
  name: 'access-points',
  share: 20,
  generate: (number, estate, random) =>
    network(number, { estate, random, role: 'ap', third: 4, from: hardware.accessPoints }),
}
export const firewalls: AssetGenerator = {
  name: 'firewalls',
  share: 5,
  generate: (number, estate, random) =>
    network(number, { estate, random, role: 'fw', third: 8, from: hardware.firewalls }),
}

/** Reported by the network sweep, and by a passive listener or the purchasing list. */
export const cameras: AssetGenerator = {
  name: 'cameras',
  share: 15,
  generate: (number, estate, random) =>
    simple(number, { estate, random, role: 'cam', third: 80, from: hardware.cameras }, [
      'passive',
      CAMERA_PORTS,
    ]),
}
export const deskPhones: AssetGenerator = {
  name: 'desk-phones',
  share: 30,
  generate: (number, estate, random) =>
    simple(number, { estate, random, role: 'tel', third: 68, from: hardware.deskPhones }, [
      'purchasing',
      PHONE_PORTS,
    ]),
}

interface Fixture {
  readonly estate: Estate
  readonly random: SeededRandom
  readonly role: string
  readonly third: number
  readonly from: readonly hardware.Model[]
}

const MACS_PER_DEVICE = 3
/** VRRP: the firewalls of a site share a virtual router address. */
const VIRTUAL_ROUTER_MAC = '00:00:5e:00:01:01'

function network(number: number, { estate, random, role, third, from }: Fixture) {
  const { site, rank } = siteOf(number, estate)
  const { vendor, model, ouis, os } = random.pick(from)
  const oui = random.pick(ouis)
  const macs = Array.from({ length: MACS_PER_DEVICE }, (_, i) =>
    hardware.macIn(oui, number * MACS_PER_DEVICE + i),
  )
  const mac = macs[0]!
  const ip = addressIn(`10.${site.network}`, third, rank)
  const host = hostNameAt(site, role, rank)
  const observe = observer(estate, random)
  return [
    observe('snmp', host, {
      ids: {
        serial: hardware.serialOf(`N${role.charAt(0).toUpperCase()}`, number),
        chassis_id: mac,
        mac: role === 'fw' ? [...macs, VIRTUAL_ROUTER_MAC] : macs,
        hostname: host,
        ip,
      },
      name: host,
      assetType: 'device',
      vendor,
      model,
      ...(os && { os: random.pick(os) }),
      tags: [`site:${site.city}`, ...(role === 'fw' || role === 'sw' ? ['criticality:high'] : [])],
      facts: {
        contact: 'network@halden.example',
        location: `${site.city}, floor ${1 + random.below(5)}`,
        ...uplinkOf(role, number, estate),
        ...layersOf(role, rank, site.network),
      },
    }),
    observe('sweep', mac, {
      ids: { mac, ip, ptr_name: fullName(host) },
      facts: {
        ports: role === 'prn' ? portsOfPrinter(rank) : random.pick(managementPorts),
      },
    }),
  ]
}

const managementPorts = [
  [22, 443],
  [22, 80, 443],
]

/** Some printers take documents by FTP. */
const portsOfPrinter = (rank: number): readonly number[] => (rank % 3 === 1 ? [21, 80, 443] : [80, 443])

/** The first switch of a site is its core: the others are behind it, and access points and firewalls behind any. */
function uplinkOf(role: string, number: number, estate: Estate) {
  const { site, rank } = siteOf(number, estate)
  if (role === 'prn' || (role === 'sw' && rank === 0)) return {}
  const switches = Math.max(1, Math.floor(estate.count('switches') / sitesOf(estate).length))
  const other = hostNameAt(site, 'sw', role === 'ap' ? rank % switches : 0)
  const [localInterface, remoteInterface] =
    role === 'ap' ? ['eth0', `Gi1/0/${1 + (rank % 48)}`] : ['Te1/1/1', `Te1/0/${1 + (rank % 24)}`]
  const uplink = { by: 'lldp', localInterface, remoteName: other, remoteInterface }
  const isShared = role === 'sw' && rank % 4 === 1
  return { neighbours: [uplink, ...(isShared ? [unmanaged] : [])] }
}

/** Somebody put a switch of their own under a desk, which nobody recorded. */
const unmanaged = {
  by: 'lldp',
  localInterface: 'Gi1/0/47',
  remoteName: 'NETGEAR-GS308E',
  remoteInterface: '1',
}

/** What is in them by the third part of their addresses. */
const vlans = [
  { id: 10, name: 'management', third: 1 },
  { id: 20, name: 'wireless', third: 4 },
  { id: 22, name: 'laptops', third: 16 },
  { id: 24, name: 'desktops', third: 32 },
  { id: 30, name: 'printers', third: 64 },
  { id: 40, name: 'phones', third: 68 },
  { id: 50, name: 'cameras', third: 80 },
]
const TEN_GIGABIT = 10_000_000_000
const GIGABIT = 1_000_000_000

/** Ports with their speed; switches tell the VLANs of their site, and the core and firewalls route between them. */
function layersOf(role: string, rank: number, network: number) {
  if (role === 'prn') return {}
  const uplink =
    role === 'ap' ? { name: 'eth0', bitsPerSecond: GIGABIT } : { name: 'Te1/1/1', bitsPerSecond: TEN_GIGABIT }
  const isRouting = role === 'fw' || (role === 'sw' && rank === 0)
  const routed = vlans.map(({ id, third }) => ({
    name: `Vlan${id}`,
    addresses: [`10.${network}.${third}.${role === 'fw' ? 250 + (rank % 4) : 254}/24`],
  }))
  return {
    interfaces: [uplink, ...(isRouting ? routed : [])],
    ...(role === 'sw' && { vlans: vlans.map(({ id, name }) => ({ id, name })) }),
  }
}

function simple(number: number, fixture: Fixture, [other, ports]: readonly [SourceName, readonly number[]]) {
  const { estate, random, role, third, from } = fixture
  const { site, rank } = siteOf(number, estate)
  const { vendor, model, ouis } = random.pick(from)
  const mac = hardware.macIn(random.pick(ouis), number)
  const hostname = hostNameAt(site, role, rank)
  const observe = observer(estate, random)
  return [
    observe('sweep', mac, {
      ids: { mac, hostname, ip: addressIn(`10.${site.network}`, third, rank) },
      facts: { ports },
    }),
    observe(other, mac, {
      ids: { mac, hostname },
      name: hostname,
      assetType: 'device',
      vendor,
      model,
      tags: [`site:${site.city}`],
    }),
  ]
}
