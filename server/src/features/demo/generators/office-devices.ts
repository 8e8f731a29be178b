import { addressIn, fullName, hostAt, placeOf } from '../company.ts'
import type { Draws } from '../seeded-random.ts'
import * as machines from '../hardware-models.ts'
import type { SourceName } from '../sources.ts'
import { seenTogether, type Estate, type Part } from './generator.ts'

const CAMERA_PORTS = [80, 443, 554]
const PHONE_PORTS = [80, 5060]

/** Answers SNMP with its serial, and the sweep with its address. */
export const printers: Part = {
  name: 'printers',
  share: 20,
  see: (number, estate, draw) =>
    network(number, { estate, draw, role: 'prn', third: 64, from: machines.printers }),
}
export const switches: Part = {
  name: 'switches',
  share: 20,
  see: (number, estate, draw) =>
    network(number, { estate, draw, role: 'sw', third: 1, from: machines.switches }),
}
export const accessPoints: Part = {
  name: 'access-points',
  share: 20,
  see: (number, estate, draw) =>
    network(number, { estate, draw, role: 'ap', third: 4, from: machines.accessPoints }),
}
export const firewalls: Part = {
  name: 'firewalls',
  share: 5,
  see: (number, estate, draw) =>
    network(number, { estate, draw, role: 'fw', third: 8, from: machines.firewalls }),
}

/** Seen from outside only, by the sweep and on a mirrored port or in the order that bought them. */
export const cameras: Part = {
  name: 'cameras',
  share: 15,
  see: (number, estate, draw) =>
    simple(number, { estate, draw, role: 'cam', third: 80, from: machines.cameras }, [
      'passive',
      CAMERA_PORTS,
    ]),
}
export const deskPhones: Part = {
  name: 'desk-phones',
  share: 30,
  see: (number, estate, draw) =>
    simple(number, { estate, draw, role: 'tel', third: 68, from: machines.deskPhones }, [
      'purchasing',
      PHONE_PORTS,
    ]),
}

interface Fixture {
  readonly estate: Estate
  readonly draw: Draws
  readonly role: string
  readonly third: number
  readonly from: readonly machines.Model[]
}

const MACS_PER_DEVICE = 3
/** VRRP: the pair of firewalls of a site answers under one address more, which is neither's own. */
const VIRTUAL_ROUTER_MAC = '00:00:5e:00:01:01'

function network(number: number, { estate, draw, role, third, from }: Fixture) {
  const { site, rank } = placeOf(number, estate)
  const { vendor, model, ouis, os } = draw.pick(from)
  const oui = draw.pick(ouis)
  const macs = Array.from({ length: MACS_PER_DEVICE }, (_, i) =>
    machines.macIn(oui, number * MACS_PER_DEVICE + i),
  )
  const mac = macs[0]!
  const ip = addressIn(`10.${site.network}`, third, rank)
  const host = hostAt(site, role, rank)
  const seen = seenTogether(estate, draw)
  return [
    seen('snmp', host, {
      ids: {
        serial: machines.serialOf(`N${role.charAt(0).toUpperCase()}`, number),
        chassis_id: mac,
        mac: role === 'fw' ? [...macs, VIRTUAL_ROUTER_MAC] : macs,
        hostname: host,
        ip,
      },
      name: host,
      assetType: 'device',
      vendor,
      model,
      ...(os && { os: draw.pick(os) }),
      tags: [`site:${site.city}`, ...(role === 'fw' || role === 'sw' ? ['criticality:high'] : [])],
      facts: { contact: 'network@halden.example', location: `${site.city}, floor ${1 + draw.below(5)}` },
    }),
    seen('sweep', mac, {
      ids: { mac, ip, ptr_name: fullName(host) },
      facts: {
        ports: draw.pick([
          [22, 443],
          [22, 80, 443],
        ]),
      },
    }),
  ]
}

function simple(number: number, fixture: Fixture, [other, ports]: readonly [SourceName, readonly number[]]) {
  const { estate, draw, role, third, from } = fixture
  const { site, rank } = placeOf(number, estate)
  const { vendor, model, ouis } = draw.pick(from)
  const mac = machines.macIn(draw.pick(ouis), number)
  const hostname = hostAt(site, role, rank)
  const seen = seenTogether(estate, draw)
  return [
    seen('sweep', mac, {
      ids: { mac, hostname, ip: addressIn(`10.${site.network}`, third, rank) },
      facts: { ports },
    }),
    seen(other, mac, {
      ids: { mac, hostname },
      name: hostname,
      assetType: 'device',
      vendor,
      model,
      tags: [`site:${site.city}`],
    }),
  ]
}
