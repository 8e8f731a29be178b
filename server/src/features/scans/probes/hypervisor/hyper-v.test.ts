import { expect, test } from 'vitest'
import type { PlatformObject } from './machine-observation.ts'
import { readHyperV } from './hyper-v-guests.ts'
import { reading } from '../wmi/wmi-queries.ts'
import { SoapFault } from '../wmi/soap.ts'
import type { Wsman } from '../wmi/wsman.ts'

// Made up in the form of the published class descriptions of root/virtualization/v2; no Hyper-V runs here.
const VM = '7C2E8F5B-0B5E-4F0C-9A3C-3D1C2B1A0F0E'
const classes: Readonly<Record<string, readonly Record<string, string | readonly string[]>[]>> = {
  Win32_OperatingSystem: [{ Caption: 'Microsoft Hyper-V Server 2019', Version: '10.0.17763' }],
  Win32_ComputerSystem: [
    { Name: 'HV1', DNSHostName: 'hv1', Manufacturer: 'HPE', Model: 'ProLiant DL380 Gen10' },
  ],
  Win32_ComputerSystemProduct: [{ UUID: '30373237-3132-4D32-3238-313030304C4A' }],
  Win32_BIOS: [{ SerialNumber: 'CZ28100LJ' }],
  Msvm_ComputerSystem: [{ Name: VM, ElementName: 'web', EnabledState: '2' }],
  Msvm_VirtualSystemSettingData: [
    {
      VirtualSystemIdentifier: VM,
      BIOSGUID: '{2B1A0F0E-1111-2222-3333-444455556666}',
      BIOSSerialNumber: '1234-5678-9012-3456-7890-1234-56',
    },
  ],
  Msvm_SyntheticEthernetPortSettingData: [
    { InstanceID: `Microsoft:${VM}\\A`, Address: '00155D012345' },
    { InstanceID: 'Microsoft:other\\B', Address: '00155DFFFFFF' },
  ],
  Msvm_GuestNetworkAdapterConfiguration: [
    { InstanceID: `Microsoft:GuestNetwork\\${VM}\\A`, IPAddresses: ['10.0.0.7', 'fe80::1'] },
  ],
  Msvm_ProcessorSettingData: [{ InstanceID: `Microsoft:${VM}\\P`, VirtualQuantity: '4' }],
  Msvm_MemorySettingData: [{ InstanceID: `Microsoft:${VM}\\M`, VirtualQuantity: '8192' }],
}

const service: Wsman = {
  async query(wql) {
    const found = classes[/from (\w+)/.exec(wql)?.[1] ?? '']
    if (!found) throw new SoapFault('DestinationUnreachable', 'The specified class does not exist.')
    return found.map(
      (it) =>
        new Map(
          Object.entries(it).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
        ),
    )
  },
  invoke: async () => new Map(),
}

test('a Hyper-V host and its guests, each with what makes it the same asset elsewhere', async () => {
  const seen: PlatformObject[] = []
  for await (const each of readHyperV(reading(service), '192.0.2.9')) seen.push(each)
  expect(seen).toMatchObject([
    {
      assetType: 'hypervisor',
      name: 'HV1',
      serial: 'CZ28100LJ',
      uuid: '30373237-3132-4D32-3238-313030304C4A',
      addresses: ['192.0.2.9'],
    },
    {
      sourceKey: VM,
      assetType: 'virtual_machine',
      name: 'web',
      uuid: '2B1A0F0E-1111-2222-3333-444455556666',
      macs: ['00:15:5d:01:23:45'],
      addresses: ['10.0.0.7', 'fe80::1'],
      facts: { host: 'HV1', powerState: 'on', cpuCount: 4, memoryMb: 8192 },
    },
  ])
})
