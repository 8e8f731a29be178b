import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { answersOf, numberOf, textOf, type Answers, type Row } from './answers.ts'

/** `versionId` is the build with its update revision: `10.0.22631.3447`; `codename` the release that people name, `23H2`. */
export async function operatingSystem(machine: Machine): Promise<Json> {
  const answers = await answersOf(machine)
  const { row, text } = answers
  const [os, version] = [row('os'), row('version')]
  const revision = numberOf(version, 'UBR')
  const build = textOf(os, 'Version')
  return present({
    id: 'windows',
    versionId: revision === undefined ? build : `${build}.${revision}`,
    codename: textOf(version, 'DisplayVersion') || textOf(version, 'ReleaseId'),
    prettyName: textOf(os, 'Caption'),
    arch: machine.arch,
    hostname: hostNameOf(row('system')),
    machineId: text('machineGuid').toLowerCase(),
  })
}

/** `name.domain` of a member of a domain, else the bare name. */
function hostNameOf(system: Row): string {
  const name = textOf(system, 'DNSHostName') || textOf(system, 'Name')
  const domain = textOf(system, 'Domain')
  return system['PartOfDomain'] === true && domain.includes('.') ? `${name}.${domain}` : name
}

export async function hardware(machine: Machine): Promise<Json> {
  const answers = await answersOf(machine)
  const [system, product, board, bios] = ['system', 'product', 'board', 'bios'].map(answers.row) as [
    Row,
    Row,
    Row,
    Row,
  ]
  const processors = answers.rows('processors')
  const sum = (name: string): number | undefined => {
    const total = processors.reduce((all, it) => all + (numberOf(it, name) ?? 0), 0)
    return total > 0 ? total : undefined
  }
  return present({
    vendor: textOf(system, 'Manufacturer'),
    model: textOf(system, 'Model'),
    serial: textOf(product, 'IdentifyingNumber'),
    uuid: textOf(product, 'UUID').toLowerCase(),
    boardVendor: textOf(board, 'Manufacturer'),
    boardModel: textOf(board, 'Product'),
    boardSerial: textOf(board, 'SerialNumber'),
    chassisType: chassisOf(answers),
    biosVendor: textOf(bios, 'Manufacturer'),
    biosVersion: textOf(bios, 'SMBIOSBIOSVersion'),
    biosDate: textOf(bios, 'ReleaseDate'),
    cpuModel: processors[0] && textOf(processors[0], 'Name'),
    cpuSockets: processors.length > 0 ? processors.length : undefined,
    cpuCores: sum('NumberOfCores'),
    cpuThreads: sum('NumberOfLogicalProcessors'),
    memoryBytes: numberOf(system, 'TotalPhysicalMemory'),
    virtualization: virtualizationOf(system),
    tpmVersion: textOf(answers.row('tpm'), 'SpecVersion').split(',')[0]?.trim(),
  })
}

/** The number of SMBIOS, as the Linux kernel tells it. */
function chassisOf(answers: Answers): string | undefined {
  const types = answers.row('chassis')['ChassisTypes']
  const [first] = Array.isArray(types) ? types : [types]
  return typeof first === 'number' ? String(first) : undefined
}

/** As the firmware of virtual machines calls itself, in the maker's name or in the model's. */
const guests: readonly (readonly [RegExp, string])[] = [
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'virtualbox'],
  [/qemu|kvm|red hat|ovirt|nutanix|amazon ec2|google/i, 'kvm'],
  [/xen/i, 'xen'],
  [/microsoft corporation virtual machine/i, 'hyper-v'],
  [/parallels/i, 'parallels'],
]

function virtualizationOf(system: Row): string | undefined {
  const text = `${textOf(system, 'Manufacturer')} ${textOf(system, 'Model')}`
  return guests.find(([form]) => form.test(text))?.[1]
}

/** Adapters with a MAC. `isVirtual`: software makes it up; it hangs on no bus. */
export async function networkInterfaces(machine: Machine): Promise<Json> {
  const { rows } = await answersOf(machine)
  const adapters = new Map(rows('adapters').map((it) => [numberOf(it, 'Index'), it]))
  return rows('addresses')
    .filter((it) => textOf(it, 'MACAddress') !== '')
    .map((it) => {
      const adapter = adapters.get(numberOf(it, 'Index')) ?? {}
      const addresses = Array.isArray(it['IPAddress']) ? it['IPAddress'] : []
      const speed = numberOf(adapter, 'Speed')
      return present({
        name: textOf(adapter, 'NetConnectionID') || textOf(it, 'Description'),
        mac: textOf(it, 'MACAddress').toLowerCase(),
        addresses: addresses.filter((address) => typeof address === 'string').toSorted(),
        isVirtual: !/^(?!root\\|swd\\)\w+\\/i.test(textOf(adapter, 'PNPDeviceID')),
        speedMbps: isSpeed(speed) ? speed / 1_000_000 : undefined,
      })
    })
}

/** Adapters without a link tell the greatest number there is. */
const isSpeed = (speed: number | undefined): speed is number =>
  speed !== undefined && speed > 0 && speed < 1e12
