import { fault, soap } from './wsman-server.ts'

/**
 * What WMI of a Windows Server 2022 says, in the form of the published class descriptions; made up, since no Windows
 * runs here. Lists come in pages of two, so that every reader must pull.
 */
export function windowsHost(): (envelope: string) => string | { status: number; body: string } {
  const open = new Map<string, string[]>()
  return (envelope) => {
    const action = /<a:Action[^>]*>([^<]*)</.exec(envelope)?.[1] ?? ''
    const verb = action.slice(action.lastIndexOf('/') + 1)
    if (verb === 'Enumerate') return enumerated(envelope, open)
    if (verb === 'Pull') return pulled(envelope, open)
    return invoked(verb, envelope)
  }
}

type Properties = Readonly<Record<string, string | readonly string[] | null>>

const PAGE = 2

function enumerated(
  envelope: string,
  open: Map<string, string[]>,
): string | { status: number; body: string } {
  const wql = decoded(/<w:Filter[^>]*>([^<]*)</.exec(envelope)?.[1] ?? '')
  const name = /from (\w+)/i.exec(wql)?.[1] ?? ''
  if (name === 'Win32_UserAccount' && !/LocalAccount = true/.test(wql))
    return { status: 500, body: fault('w:InternalError', 'asks a whole domain') }
  const found = classes[name]
  if (!found)
    return { status: 500, body: fault('a:DestinationUnreachable', 'The specified class does not exist.') }
  const items = found.map((it) => item(/select \*/i.test(wql) ? `p:${name}` : 'w:XmlFragment', it))
  return soap(
    `<n:EnumerateResponse xmlns:n="n" xmlns:w="w">${page(items, open, 'w:Items')}</n:EnumerateResponse>`,
  )
}

function pulled(envelope: string, open: Map<string, string[]>): string {
  const context = /<n:EnumerationContext>([^<]*)</.exec(envelope)?.[1] ?? ''
  const rest = open.get(context) ?? []
  open.delete(context)
  return soap(`<n:PullResponse xmlns:n="n" xmlns:w="w">${page(rest, open, 'n:Items')}</n:PullResponse>`)
}

function page(items: readonly string[], open: Map<string, string[]>, name: string): string {
  const rest = items.slice(PAGE)
  const context = `uuid:${open.size + items.length}-${Math.random()}`
  if (rest.length > 0) open.set(context, rest)
  const end = rest.length > 0 ? '' : '<w:EndOfSequence/>'
  return `<n:EnumerationContext>${context}</n:EnumerationContext><${name}>${items.slice(0, PAGE).join('')}</${name}>${end}`
}

function item(name: string, properties: Properties): string {
  const inner = Object.entries(properties).map(([key, value]) => {
    if (value === null) return `<p:${key} xsi:nil="true"/>`
    if (/Time$|^InstallDate$/.test(key))
      return `<p:${key}><cim:Datetime xmlns:cim="c">${String(value)}</cim:Datetime></p:${key}>`
    const values = typeof value === 'string' ? [value] : value
    return values.map((it) => `<p:${key}>${encoded(it)}</p:${key}>`).join('')
  })
  return `<${name} xmlns:p="p" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${inner.join('')}</${name}>`
}

const classes: Readonly<Record<string, readonly Properties[]>> = {
  Win32_OperatingSystem: [
    {
      Caption: 'Microsoft Windows Server 2022 Standard',
      Version: '10.0.20348',
      OSArchitecture: '64-bit',
      ProductType: '3',
      CSName: 'FILE01',
      LastBootUpTime: '2026-11-01T08:00:00.5+01:00',
      InstallDate: '2023-03-14T10:11:12+01:00',
      OtherTypeDescription: null,
    },
  ],
  Win32_ComputerSystem: [
    {
      Name: 'FILE01',
      DNSHostName: 'file01',
      Domain: 'corp.example',
      PartOfDomain: 'true',
      Manufacturer: 'Dell Inc.',
      Model: 'PowerEdge R650',
      TotalPhysicalMemory: '137096654848',
      UserName: 'CORP\\alice',
    },
  ],
  Win32_ComputerSystemProduct: [
    { UUID: '4C4C4544-0043-5110-8052-B4C04F4E4B33', IdentifyingNumber: '9CQRNK3', Vendor: 'Dell Inc.' },
  ],
  Win32_BIOS: [{ SerialNumber: '9CQRNK3', Manufacturer: 'Dell Inc.', SMBIOSBIOSVersion: '1.12.1' }],
  Win32_SystemEnclosure: [{ ChassisTypes: ['23'], SMBIOSAssetTag: 'A & B <17>' }],
  Win32_NetworkAdapter: [
    {
      Index: '1',
      Name: 'Broadcom NetXtreme',
      MACAddress: 'B0:7B:25:01:02:03',
      PNPDeviceID: 'PCI\\VEN_14E4&DEV_165F',
      NetConnectionID: 'LAN',
    },
    {
      Index: '2',
      Name: 'Broadcom NetXtreme #2',
      MACAddress: 'B0:7B:25:01:02:04',
      PNPDeviceID: 'PCI\\VEN_14E4&DEV_165F&1',
      NetConnectionID: 'LAN 2',
    },
    {
      Index: '9',
      Name: 'TAP-Windows Adapter V9',
      MACAddress: '00:FF:AA:BB:CC:DD',
      PNPDeviceID: 'ROOT\\NET\\0000',
      NetConnectionID: 'VPN',
    },
  ],
  Win32_NetworkAdapterConfiguration: [
    {
      Index: '1',
      Description: 'Broadcom NetXtreme',
      MACAddress: 'B0:7B:25:01:02:03',
      IPAddress: ['10.20.30.40', 'fe80::b27b:25ff:fe01:203'],
      IPSubnet: ['255.255.255.0', '64'],
      DefaultIPGateway: ['10.20.30.1'],
      DHCPEnabled: 'false',
    },
  ],
  Win32_Processor: [
    { Name: 'Intel(R) Xeon(R) Gold 6326', NumberOfCores: '16', NumberOfLogicalProcessors: '32' },
  ],
  Win32_DiskDrive: [{ Model: 'DELL PERC H755', Size: '1919850381312', SerialNumber: '00e1' }],
  Win32_LogicalDisk: [{ DeviceID: 'C:', Size: '1919000000000', FreeSpace: '100', FileSystem: 'NTFS' }],
  Win32_QuickFixEngineering: [
    { HotFixID: 'KB5034439', InstalledOn: '1/10/2024' },
    { HotFixID: 'KB5035857', InstalledOn: '3/13/2024' },
    { HotFixID: 'KB5036909', InstalledOn: '' },
  ],
  Win32_EncryptableVolume: [
    { DriveLetter: 'C:', ProtectionStatus: '1', VolumeType: '0' },
    { DriveLetter: 'E:', ProtectionStatus: '0', VolumeType: '1' },
  ],
  MSFT_NetFirewallProfile: [
    { Name: 'Domain', Enabled: '1' },
    { Name: 'Private', Enabled: '1' },
    { Name: 'Public', Enabled: '0' },
  ],
  Win32_Service: [{ Name: 'W32Time' }, { Name: 'Spooler' }],
  Win32_UserAccount: [
    { Name: 'Administrator', SID: 'S-1-5-21-1-2-3-500', Disabled: 'true', FullName: '' },
    { Name: 'alice', SID: 'S-1-5-21-1-2-3-1001', Disabled: 'false', FullName: 'Alice Ädams' },
  ],
}

const UNINSTALL = 'Microsoft\\Windows\\CurrentVersion\\Uninstall'

/** Keys by hive and path; texts are REG_SZ, numbers REG_DWORD. */
const hives: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | number>>>>>> = {
  '2147483650': {
    'SOFTWARE\\Microsoft\\Cryptography': { MachineGuid: '6f2a1b3c-4d5e-4f60-8a9b-0c1d2e3f4a5b' },
    'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion': { UBR: 2340, DisplayVersion: '21H2' },
    [`SOFTWARE\\${UNINSTALL}\\7-Zip`]: {
      DisplayName: '7-Zip 23.01 (x64)',
      DisplayVersion: '23.01',
      Publisher: 'Igor Pavlov',
    },
    [`SOFTWARE\\${UNINSTALL}\\{A}`]: { DisplayName: 'Hidden part', SystemComponent: 1 },
    [`SOFTWARE\\${UNINSTALL}\\{B}`]: { DisplayName: 'A patch', ParentKeyName: 'Office' },
    [`SOFTWARE\\${UNINSTALL}\\{C}`]: { InstallDate: '20240101' },
    [`SOFTWARE\\WOW6432Node\\${UNINSTALL}\\Npp`]: {
      DisplayName: 'Notepad++ (32-bit x86)',
      DisplayVersion: '8.6.2',
      Publisher: 'Notepad++ Team',
      InstallDate: '20240131',
    },
  },
  '2147483651': {
    'S-1-5-18\\SOFTWARE': {},
    [`S-1-5-21-1-2-3-1001\\SOFTWARE\\${UNINSTALL}\\Code`]: {
      DisplayName: 'Visual Studio Code (User)',
      DisplayVersion: '1.86.0',
    },
  },
}

function invoked(method: string, envelope: string): string {
  const parameter = (name: string) => decoded(new RegExp(`<p:${name}>([^<]*)<`).exec(envelope)?.[1] ?? '')
  const hive = hives[parameter('hDefKey')] ?? {}
  const path = parameter('sSubKeyName')
  const output = (inner: string) =>
    soap(`<p:${method}_OUTPUT xmlns:p="p"><p:ReturnValue>0</p:ReturnValue>${inner}</p:${method}_OUTPUT>`)
  const value = hive[path]?.[parameter('sValueName')]
  switch (method) {
    case 'EnumKey':
      return output(
        below(Object.keys(hive), path)
          .map((it) => `<p:sNames>${encoded(it)}</p:sNames>`)
          .join(''),
      )
    case 'EnumValues':
      return output(
        Object.keys(hive[path] ?? {})
          .map((it) => `<p:sNames>${it}</p:sNames>`)
          .join(''),
      )
    case 'GetStringValue':
      return output(typeof value === 'string' ? `<p:sValue>${encoded(value)}</p:sValue>` : '')
    default:
      return output(typeof value === 'number' ? `<p:uValue>${value}</p:uValue>` : '')
  }
}

function below(paths: readonly string[], path: string): string[] {
  const start = path === '' ? '' : `${path}\\`
  const names = paths
    .filter((it) => it.startsWith(start))
    .map((it) => it.slice(start.length).split('\\')[0] ?? '')
  return [...new Set(names)]
}

const encoded = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)
const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
