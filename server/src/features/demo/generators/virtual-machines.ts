import { fullName } from '../company.ts'
import { seededRandom, type SeededRandom } from '../seeded-random.ts'
import * as hardware from '../hardware-models.ts'
import {
  serverAddress,
  hypervisorName,
  agentFields,
  portSets,
  purposes,
  VCENTER,
} from '../data-centre-servers.ts'
import { observer, type Estate, type AssetGenerator, type SourcedObservation } from './generator.ts'

const AGENT_PERCENT = 85
const SWEPT_PERCENT = 60
const SWAPPED_PERCENT = 20
/** Number of consecutive guests that may be clones of one template, with its machine-id. */
const GUESTS_PER_TEMPLATE = 40
const CLONED_PERCENT = 8

export const virtualMachines: AssetGenerator = {
  name: 'virtual-machines',
  share: 170,
  generate(number, estate, random) {
    const purpose = random.pick(purposes)
    const host = `${purpose}-${random.pick(['prod', 'prod', 'test', 'dev'])}-${String(number + 1).padStart(5, '0')}`
    const guest: Guest = {
      host,
      ip: serverAddress(number, 32),
      os: random.pick(hardware.guests[0]!.os ?? []),
      mac: hardware.guestMac(number),
      uuid: random.uuid(),
    }
    const observe = observer(estate, random)
    const instance = `${VCENTER}:${random.uuid()}`
    const found: SourcedObservation[] = [
      observe('vcenter', `vm-${number}`, {
        ids: {
          cloud_id: instance,
          smbios_uuid: guest.uuid,
          mac: guest.mac,
          hostname: fullName(host),
          ip: guest.ip,
        },
        name: host,
        assetType: 'virtual_machine',
        vendor: hardware.guests[0]!.vendor,
        tags: [`service:${purpose}`, `criticality:${random.pick(['high', 'medium', 'low'])}`],
        facts: {
          host: hypervisorName(number % estate.count('hypervisors')),
          datastore: `datastore-${number % estate.count('datastores')}`,
          cpus: random.pick([2, 4, 8]),
          memoryGb: random.pick([4, 8, 16, 32]),
        },
      }),
    ]
    if (random.percent(AGENT_PERCENT)) found.push(guestAgent(number, guest, { estate, random, observe }))
    if (random.percent(SWEPT_PERCENT)) {
      const ids = { mac: guest.mac, ip: guest.ip, hostname: fullName(host) }
      found.push(observe('sweep', guest.mac, { ids, facts: { ports: random.pick(portSets) } }))
    }
    return found
  },
}

interface Guest {
  readonly host: string
  readonly ip: string
  readonly os: string
  readonly mac: string
  readonly uuid: string
}

/**
 * Some guests report the SMBIOS UUID in the other byte order, and some still have the machine-id of their template.
 */
function guestAgent(
  number: number,
  guest: Guest,
  { estate, random, observe }: { estate: Estate; random: SeededRandom; observe: ReturnType<typeof observer> },
): SourcedObservation {
  const uuid = random.percent(SWAPPED_PERCENT) ? swapped(guest.uuid) : guest.uuid
  const template = seededRandom(estate.seed, 'template', Math.floor(number / GUESTS_PER_TEMPLATE)).hex(32)
  const { ids, ...agent } = agentFields(random, guest)
  const machineId = random.percent(CLONED_PERCENT) ? template : ids.machine_id
  return observe('agents', ids.agent_key, {
    ...agent,
    ids: {
      ...ids,
      mac: guest.mac,
      smbios_uuid: uuid,
      serial: vmwareSerial(guest.uuid),
      machine_id: machineId,
    },
    assetType: 'virtual_machine',
    vendor: hardware.guests[0]!.vendor,
    model: hardware.guests[0]!.model,
  })
}

/** Swaps the byte order of the first three fields, as firmware before SMBIOS 2.6 and some guests report them. */
const swapped = (uuid: string): string =>
  uuid.replace(/^(..)(..)(..)(..)-(..)(..)-(..)(..)/, '$4$3$2$1-$6$5-$8$7')

/** The serial that VMware derives from the UUID: `VMware-56 4d 1a 2b 3c 4d 5e 6f-70 81 …`. */
function vmwareSerial(uuid: string): string {
  const octets = uuid.replaceAll('-', '').match(/../g) ?? []
  return `VMware-${octets.slice(0, 8).join(' ')}-${octets.slice(8).join(' ')}`
}
