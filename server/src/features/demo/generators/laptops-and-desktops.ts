import { addressIn, fullName, hostNameAt, ownerOf, siteOf } from '../company.ts'
import type { SeededRandom } from '../seeded-random.ts'
import * as hardware from '../hardware-models.ts'
import {
  observer,
  type Estate,
  type AssetGenerator,
  type ObservationFields,
  type SourcedObservation,
} from './generator.ts'

const DOCK_PERCENT = 30
/** Groups of laptops share a dock, whose MAC address each of their agents reports. */
const LAPTOPS_PER_DOCK = 6

/** Reported by agent, device management, network sweep and purchasing list, with different identifiers. */
export const laptops: AssetGenerator = {
  name: 'laptops',
  share: 150,
  generate(number, estate, random) {
    const computer = describe(number, {
      estate,
      random,
      role: 'lt',
      third: 16,
      from: hardware.laptops,
      serials: 'L1',
    })
    const { observe, host, ip, mac, serial, vendor, model, tags } = computer
    const dock = random.percent(DOCK_PERCENT)
      ? hardware.macIn(hardware.DOCK_OUI, Math.floor(number / LAPTOPS_PER_DOCK))
      : undefined
    const found: SourcedObservation[] = [
      observe('agents', computer.agentKey, {
        ...computer.agentFields,
        ids: { ...computer.agentFields.ids, serial, mac: dock === undefined ? mac : [mac, dock] },
      }),
      observe('sweep', mac, { ids: { mac, hostname: host, ip } }),
    ]
    if (random.percent(80)) {
      const ids = { management_id: random.uuid(), serial, hostname: host }
      found.push(
        observe('devices', `device/${serial}`, {
          ids,
          name: host,
          assetType: 'device',
          vendor: shortName(vendor),
          model,
        }),
      )
    }
    if (random.percent(60)) {
      found.push(
        observe('purchasing', `serial:${serial}`, {
          ids: { serial },
          vendor: shortName(vendor),
          model,
          tags,
        }),
      )
    }
    return found
  },
}

const WHITE_BOX_PERCENT = 20
const junkSerials = ['To Be Filled By O.E.M.', 'Default string', 'System Serial Number']

/** Every fifth has a placeholder as serial and the SMBIOS UUID of its mainboard series. */
export const desktops: AssetGenerator = {
  name: 'desktops',
  share: 80,
  generate(number, estate, random) {
    const isWhiteBox = random.percent(WHITE_BOX_PERCENT)
    const from = isWhiteBox ? hardware.whiteBoxes : hardware.desktops
    const computer = describe(number, { estate, random, role: 'pc', third: 32, from, serials: 'D1' })
    const { observe, host, ip, mac } = computer
    const ids = isWhiteBox
      ? { serial: random.pick(junkSerials), smbios_uuid: '03000200-0400-0500-0006-000700080009' }
      : { serial: computer.serial }
    return [
      observe('agents', computer.agentKey, {
        ...computer.agentFields,
        ids: { ...computer.agentFields.ids, ...ids, mac },
      }),
      observe('sweep', mac, { ids: { mac, hostname: host, ip } }),
    ]
  },
}

const PRIVATE_PERCENT = 35

/** Private phones are seen by the sweep only, with a random MAC address. */
export const handhelds: AssetGenerator = {
  name: 'handhelds',
  share: 50,
  generate(number, estate, random) {
    const { site, rank } = siteOf(number, estate)
    const observe = observer(estate, random)
    const { vendor, model, ouis, os = [] } = random.pick(hardware.handhelds)
    if (random.percent(PRIVATE_PERCENT)) {
      const mac = hardware.macIn(
        `${random.hex(1)}${random.pick(['2', '6', 'a', 'e'])}:${random.hex(2)}:${random.hex(2)}`,
        number,
      )
      return [
        observe('sweep', mac, {
          ids: { mac, ip: addressIn(`10.${site.network}`, 56, rank) },
          assetType: 'device',
        }),
      ]
    }
    const mac = hardware.macIn(random.pick(ouis), number)
    const serial = hardware.serialOf('H1', number)
    const owner = ownerOf(number, estate)
    const host = `${owner.login.replace('.', '-')}-${model.toLowerCase().replaceAll(' ', '-')}-${rank + 1}`
    const managed = observe('devices', `device/${serial}`, {
      ids: { management_id: random.uuid(), serial, mac, hostname: host },
      name: `${owner.name}'s ${model}`,
      assetType: 'device',
      vendor,
      model,
      os: random.pick(os),
      tags: [`site:${site.city}`, `owner:${owner.login}`],
    })
    if (random.percent(50)) return [managed]
    const ids = { mac, ip: addressIn(`10.${site.network}`, 48, rank), hostname: host }
    return [managed, observe('sweep', mac, { ids })]
  },
}

interface ComputerOptions {
  readonly estate: Estate
  readonly random: SeededRandom
  readonly role: string
  /** First value of the third octet of its addresses. */
  readonly third: number
  readonly from: readonly hardware.Model[]
  readonly serials: string
}

function describe(number: number, { estate, random, role, third, from, serials }: ComputerOptions) {
  const { site, rank } = siteOf(number, estate)
  const { vendor, model, ouis, os = [] } = random.pick(from)
  const host = hostNameAt(site, role, rank)
  const ip = addressIn(`10.${site.network}`, third, rank)
  const owner = ownerOf(number, estate)
  const tags = [`site:${site.city}`, `owner:${owner.login}`, `department:${owner.department}`]
  const agentKey = random.hex(64)
  const agentFields: ObservationFields = {
    ids: {
      agent_key: agentKey,
      smbios_uuid: random.uuid(),
      machine_id: random.hex(32),
      hostname: fullName(host),
      ip,
    },
    name: host,
    assetType: 'device',
    vendor,
    model,
    os: random.pick(os),
    tags: [`site:${site.city}`],
    facts: {
      memoryGb: random.pick([8, 16, 16, 32, 64]),
      diskGb: random.pick([256, 512, 1024]),
      user: owner.login,
    },
  }
  return {
    observe: observer(estate, random),
    mac: hardware.macIn(random.pick(ouis), number),
    serial: hardware.serialOf(serials, number),
    host,
    ip,
    vendor,
    model,
    tags,
    agentKey,
    agentFields,
  }
}

/** Vendor name as people write it in lists: `Dell` for `Dell Inc.` */
const shortName = (vendor: string): string => (vendor === 'LENOVO' ? 'Lenovo' : vendor.replace(/ Inc\.$/, ''))
