import type { PlatformObject } from './machine-observation.ts'
import { first, hostNameOf, identifiersOf, number } from '../wmi/wmi-classes.ts'
import { readMachine, type Reading } from '../wmi/wmi-queries.ts'
import type { WmiObject } from '../wmi/wsman.ts'

/** A Hyper-V host and its virtual machines, by the classes of `root/virtualization/v2`. */
export async function* readHyperV(reading: Reading, address: string): AsyncGenerator<PlatformObject> {
  const machine = await readMachine(reading)
  const identifiers = identifiersOf(machine, address)
  const of = (type: string): string[] =>
    identifiers.filter((it) => it.type === type).map(({ value }) => value)
  const name = first(machine.system, 'Name') || hostNameOf(machine)
  yield {
    sourceKey: of('smbios_uuid')[0] ?? address,
    assetType: 'hypervisor',
    name,
    os: first(machine.os, 'Caption'),
    vendor: first(machine.system, 'Manufacturer'),
    model: first(machine.system, 'Model'),
    serial: of('serial')[0],
    uuid: of('smbios_uuid')[0],
    macs: of('mac').map(colons),
    hostnames: of('hostname'),
    addresses: of('ip'),
    facts: { platform: 'Hyper-V', notes: [...reading.notes] },
  }
  for (const guest of await guestsOf(reading)) yield { ...guest, facts: { ...guest.facts, host: name } }
}

const NAMESPACE = 'root/virtualization/v2'

async function guestsOf({ service, all }: Reading): Promise<PlatformObject[]> {
  const ask = (wql: string): Promise<WmiObject[]> => all(wql, NAMESPACE)
  const machines = await service.query(
    "select Name, ElementName, EnabledState from Msvm_ComputerSystem where Caption = 'Virtual Machine'",
    NAMESPACE,
  )
  const settings = await ask(
    "select VirtualSystemIdentifier, BIOSGUID, BIOSSerialNumber, VirtualSystemSubType from Msvm_VirtualSystemSettingData where VirtualSystemType = 'Microsoft:Hyper-V:System:Realized'",
  )
  const ports = [
    ...(await ask('select InstanceID, Address from Msvm_SyntheticEthernetPortSettingData')),
    ...(await ask('select InstanceID, Address from Msvm_EmulatedEthernetPortSettingData')),
  ]
  const networks = await ask('select InstanceID, IPAddresses from Msvm_GuestNetworkAdapterConfiguration')
  const processors = await ask('select InstanceID, VirtualQuantity from Msvm_ProcessorSettingData')
  const memories = await ask('select InstanceID, VirtualQuantity from Msvm_MemorySettingData')
  return machines.map((machine) => {
    const id = first(machine, 'Name')
    const belongs = (it: WmiObject): boolean =>
      first(it, 'InstanceID').toLowerCase().includes(id.toLowerCase())
    const setting = settings.find((it) => first(it, 'VirtualSystemIdentifier') === id)
    return {
      sourceKey: id,
      assetType: 'virtual_machine',
      name: first(machine, 'ElementName'),
      uuid: first(setting, 'BIOSGUID').replace(/[{}]/g, ''),
      serial: first(setting, 'BIOSSerialNumber'),
      macs: ports.filter(belongs).map((it) => colons(first(it, 'Address'))),
      addresses: networks.filter(belongs).flatMap((it) => it.get('IPAddresses') ?? []),
      facts: {
        platform: 'Hyper-V',
        powerState: POWER_STATES[number(machine, 'EnabledState') ?? 0],
        cpuCount: number(processors.find(belongs), 'VirtualQuantity'),
        memoryMb: number(memories.find(belongs), 'VirtualQuantity'),
      },
    }
  })
}

/** `EnabledState` of Msvm_ComputerSystem. */
const POWER_STATES: Readonly<Record<number, string>> = {
  2: 'on',
  3: 'off',
  6: 'suspended',
  9: 'paused',
  32768: 'paused',
  32769: 'suspended',
}

/** `00155D012345` and `00-15-5D-…` in the form with colons. */
const colons = (mac: string): string =>
  mac
    .replace(/[^0-9a-f]/gi, '')
    .replace(/(..)(?=.)/g, '$1:')
    .toLowerCase()
