import { addressIn, fullName, hostAt, ownerOf, placeOf } from '../company.ts'
import type { Draws } from '../seeded-random.ts'
import * as machines from '../hardware-models.ts'
import { seenTogether, type Estate, type Part, type Seen, type Sighted } from './generator.ts'

const DOCK_PERCENT = 30
/** Laptops of neighbouring numbers share a dock, whose address every one of their agents reports as its own. */
const LAPTOPS_PER_DOCK = 6

/** Agent, device management, sweep and purchasing know a laptop by different identifiers. */
export const laptops: Part = {
  name: 'laptops',
  share: 150,
  see(number, estate, draw) {
    const computer = describe(number, {
      estate,
      draw,
      role: 'lt',
      third: 16,
      from: machines.laptops,
      serials: 'L1',
    })
    const { seen, host, ip, mac, serial, vendor, model, tags } = computer
    const dock = draw.percent(DOCK_PERCENT)
      ? machines.macIn(machines.DOCK_OUI, Math.floor(number / LAPTOPS_PER_DOCK))
      : undefined
    const found: Sighted[] = [
      seen('agents', computer.agentKey, {
        ...computer.inside,
        ids: { ...computer.inside.ids, serial, mac: dock === undefined ? mac : [mac, dock] },
      }),
      seen('sweep', mac, { ids: { mac, hostname: host, ip } }),
    ]
    if (draw.percent(80)) {
      const ids = { management_id: draw.uuid(), serial, hostname: host }
      found.push(
        seen('devices', `device/${serial}`, {
          ids,
          name: host,
          assetType: 'device',
          vendor: shortName(vendor),
          model,
        }),
      )
    }
    if (draw.percent(60)) {
      found.push(
        seen('purchasing', `serial:${serial}`, { ids: { serial }, vendor: shortName(vendor), model, tags }),
      )
    }
    return found
  },
}

const WHITE_BOX_PERCENT = 20
const junkSerials = ['To Be Filled By O.E.M.', 'Default string', 'System Serial Number']

/** One in five has no serial of its own and the SMBIOS UUID of its mainboard's series. */
export const desktops: Part = {
  name: 'desktops',
  share: 80,
  see(number, estate, draw) {
    const isWhiteBox = draw.percent(WHITE_BOX_PERCENT)
    const from = isWhiteBox ? machines.whiteBoxes : machines.desktops
    const computer = describe(number, { estate, draw, role: 'pc', third: 32, from, serials: 'D1' })
    const { seen, host, ip, mac } = computer
    const ids = isWhiteBox
      ? { serial: draw.pick(junkSerials), smbios_uuid: '03000200-0400-0500-0006-000700080009' }
      : { serial: computer.serial }
    return [
      seen('agents', computer.agentKey, { ...computer.inside, ids: { ...computer.inside.ids, ...ids, mac } }),
      seen('sweep', mac, { ids: { mac, hostname: host, ip } }),
    ]
  },
}

const PRIVATE_PERCENT = 35

/** Private phones appear on the guest network under a random address that nothing else knows. */
export const handhelds: Part = {
  name: 'handhelds',
  share: 50,
  see(number, estate, draw) {
    const { site, rank } = placeOf(number, estate)
    const seen = seenTogether(estate, draw)
    const { vendor, model, ouis, os = [] } = draw.pick(machines.handhelds)
    if (draw.percent(PRIVATE_PERCENT)) {
      const mac = machines.macIn(
        `${draw.hex(1)}${draw.pick(['2', '6', 'a', 'e'])}:${draw.hex(2)}:${draw.hex(2)}`,
        number,
      )
      return [
        seen('sweep', mac, {
          ids: { mac, ip: addressIn(`10.${site.network}`, 56, rank) },
          assetType: 'device',
        }),
      ]
    }
    const mac = machines.macIn(draw.pick(ouis), number)
    const serial = machines.serialOf('H1', number)
    const owner = ownerOf(number, estate)
    const host = `${owner.login.replace('.', '-')}-${model.toLowerCase().replaceAll(' ', '-')}-${rank + 1}`
    const managed = seen('devices', `device/${serial}`, {
      ids: { management_id: draw.uuid(), serial, mac, hostname: host },
      name: `${owner.name}'s ${model}`,
      assetType: 'device',
      vendor,
      model,
      os: draw.pick(os),
      tags: [`site:${site.city}`, `owner:${owner.login}`],
    })
    if (draw.percent(50)) return [managed]
    const ids = { mac, ip: addressIn(`10.${site.network}`, 48, rank), hostname: host }
    return [managed, seen('sweep', mac, { ids })]
  },
}

interface Described {
  readonly estate: Estate
  readonly draw: Draws
  readonly role: string
  /** Third octet from which its addresses count. */
  readonly third: number
  readonly from: readonly machines.Model[]
  readonly serials: string
}

function describe(number: number, { estate, draw, role, third, from, serials }: Described) {
  const { site, rank } = placeOf(number, estate)
  const { vendor, model, ouis, os = [] } = draw.pick(from)
  const host = hostAt(site, role, rank)
  const ip = addressIn(`10.${site.network}`, third, rank)
  const owner = ownerOf(number, estate)
  const tags = [`site:${site.city}`, `owner:${owner.login}`, `department:${owner.department}`]
  const agentKey = draw.hex(64)
  const inside: Seen = {
    ids: {
      agent_key: agentKey,
      smbios_uuid: draw.uuid(),
      machine_id: draw.hex(32),
      hostname: fullName(host),
      ip,
    },
    name: host,
    assetType: 'device',
    vendor,
    model,
    os: draw.pick(os),
    tags: [`site:${site.city}`],
    facts: {
      memoryGb: draw.pick([8, 16, 16, 32, 64]),
      diskGb: draw.pick([256, 512, 1024]),
      user: owner.login,
    },
  }
  return {
    seen: seenTogether(estate, draw),
    mac: machines.macIn(draw.pick(ouis), number),
    serial: machines.serialOf(serials, number),
    host,
    ip,
    vendor,
    model,
    tags,
    agentKey,
    inside,
  }
}

/** As people write it in lists: `Dell` where the firmware says `Dell Inc.` */
const shortName = (vendor: string): string => (vendor === 'LENOVO' ? 'Lenovo' : vendor.replace(/ Inc\.$/, ''))
