import type { AssetType, Identifier, Json, OsRelease } from '#features/assets/observation.ts'
import type { WmiObject } from './wsman.ts'

/** What the classes of WMI say of a machine, in the words of the inventory. */

export interface Machine {
  readonly os: WmiObject
  readonly system: WmiObject
  readonly product: WmiObject
  readonly bios: WmiObject
  readonly enclosure: WmiObject
  readonly adapters: readonly WmiObject[]
  readonly configurations: readonly WmiObject[]
  /** `MachineGuid` of the registry. */
  readonly machineGuid: string | undefined
  /** The last part of the full build, of the registry. */
  readonly revision: number | undefined
  /** `22H2`. */
  readonly displayVersion: string | undefined
}

export const first = (from: WmiObject | undefined, name: string): string => from?.get(name)?.[0]?.trim() ?? ''

export const number = (from: WmiObject | undefined, name: string): number | undefined => {
  const text = first(from, name)
  return text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
}

/** `address`: where it was reached. */
export function identifiersOf(machine: Machine, address: string): Identifier[] {
  const { product, bios, machineGuid, adapters, configurations } = machine
  const serial = first(bios, 'SerialNumber') || first(product, 'IdentifyingNumber')
  const macs = [
    ...adapters.filter(isDevice).map((it) => first(it, 'MACAddress')),
    ...configurations.filter((it) => !isMadeUp(it, adapters)).map((it) => first(it, 'MACAddress')),
  ]
  const all: Identifier[] = [
    { type: 'smbios_uuid', value: first(product, 'UUID') },
    { type: 'serial', value: serial },
    { type: 'machine_id', value: machineGuid ?? '' },
    { type: 'hostname', value: hostNameOf(machine) },
    ...[...new Set(macs)].map((value): Identifier => ({ type: 'mac', value })),
    ...configurations.flatMap(addressesOf),
  ]
  if (!all.some(({ type, value }) => type === 'ip' && value === address))
    all.push({ type: 'ip', value: address })
  return all.filter(({ value }) => value !== '')
}

/** `name.domain` for a member of a domain, else the bare name. */
export function hostNameOf({ os, system }: Pick<Machine, 'os' | 'system'>): string {
  const name = first(system, 'DNSHostName') || first(system, 'Name') || first(os, 'CSName')
  const domain = first(system, 'Domain')
  const isMember = first(system, 'PartOfDomain').toLowerCase() === 'true'
  return isMember && domain.includes('.') ? `${name}.${domain}` : name
}

export function releaseOf({ os, revision, displayVersion }: Machine): OsRelease {
  const version = first(os, 'Version')
  return {
    id: 'windows',
    versionId: revision === undefined ? version : `${version}.${revision}`,
    prettyName: first(os, 'Caption'),
    ...(displayVersion && { codename: displayVersion }),
  }
}

/** As virtual machines call themselves: in the maker's name, or in the model's. */
export function assetTypeOf({ system }: Pick<Machine, 'system'>): AssetType {
  const [maker, model] = [first(system, 'Manufacturer'), first(system, 'Model')]
  const isVirtual =
    /^(?:vmware|innotek|qemu|xen|red hat|ovirt|nutanix|parallels|google|amazon ec2)/i.test(maker) ||
    /\b(?:virtual machine|virtualbox|kvm|hvm domu|vmware|bhyve)\b/i.test(model)
  return isVirtual ? 'virtual_machine' : 'device'
}

export function interfacesOf({ adapters, configurations }: Machine): Json[] {
  return configurations.map((it) => {
    const adapter = adapters.find((each) => first(each, 'Index') === first(it, 'Index'))
    const prefixes = it.get('IPSubnet') ?? []
    return {
      name: first(adapter, 'NetConnectionID') || first(it, 'Description'),
      mac: first(it, 'MACAddress'),
      addresses: (it.get('IPAddress') ?? []).map((ip, i) => ({
        ip,
        prefix: prefixLength(prefixes[i] ?? ''),
        isLeased: first(it, 'DHCPEnabled').toLowerCase() === 'true',
      })),
      gateways: [...(it.get('DefaultIPGateway') ?? [])],
    }
  })
}

/** `255.255.255.0` and `64` alike; null when it is neither. */
function prefixLength(mask: string): number | null {
  if (/^\d{1,3}$/.test(mask)) return Number(mask)
  const octets = mask.split('.').map(Number)
  if (octets.length !== 4 || octets.some((it) => !(it >= 0 && it <= 255))) return null
  return octets.reduce((bits, octet) => bits + octet.toString(2).replaceAll('0', '').length, 0)
}

function addressesOf(configuration: WmiObject): Identifier[] {
  const isStatic = first(configuration, 'DHCPEnabled').toLowerCase() === 'false'
  return (configuration.get('IPAddress') ?? []).map((value) => ({
    type: 'ip',
    value,
    ...(isStatic && { static: true as const }),
  }))
}

/** Adapters that hang on a bus; what software makes up (VPN, loopback) hangs on the root and says nothing. */
const isDevice = (adapter: WmiObject): boolean => /^(?!root\\)\w+\\/i.test(first(adapter, 'PNPDeviceID'))

function isMadeUp(configuration: WmiObject, adapters: readonly WmiObject[]): boolean {
  const adapter = adapters.find((it) => first(it, 'Index') === first(configuration, 'Index'))
  return adapter !== undefined && !isDevice(adapter)
}
