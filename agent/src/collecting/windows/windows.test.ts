import { expect, test } from 'vitest'
import { collect } from '../collect.ts'
import { SCRIPT } from './powershell-script.ts'
import { thisMachine, type Machine } from '../machine.ts'

/** Written after Microsoft's reference of the classes: no Windows was at hand. */
const ANSWERS = {
  version: { DisplayVersion: '23H2', ReleaseId: '2009', EditionID: 'Professional', UBR: 3447 },
  machineGuid: 'F1D2C3B4-0000-4000-8000-000000000001',
  secureBoot: 1,
  os: [{ Caption: 'Microsoft Windows 11 Pro', Version: '10.0.22631' }],
  system: {
    Name: 'PC-7',
    DNSHostName: 'pc-7',
    Domain: 'corp.example',
    PartOfDomain: true,
    Manufacturer: 'LENOVO',
    Model: '21CB',
    TotalPhysicalMemory: 17_179_869_184,
  },
  product: [{ IdentifyingNumber: 'PF3ABCDE', UUID: '4C4C4544-0033-3510-8052-B4C04F564231' }],
  board: [{ Manufacturer: 'LENOVO', Product: '21CB', SerialNumber: 'L1HF2' }],
  bios: [{ Manufacturer: 'LENOVO', SMBIOSBIOSVersion: 'N3AET80W', ReleaseDate: '2024-01-31' }],
  chassis: [{ ChassisTypes: [10] }],
  processors: [{ Name: 'Intel(R) Core(TM) i7-1260P', NumberOfCores: 12, NumberOfLogicalProcessors: 16 }],
  tpm: [{ SpecVersion: '2.0, 0, 1.59' }],
  adapters: [
    {
      Index: 1,
      NetConnectionID: 'Ethernet',
      PNPDeviceID: 'PCI\\VEN_8086&DEV_15FB\\3&1',
      Speed: 1_000_000_000,
    },
    { Index: 2, NetConnectionID: 'VPN', PNPDeviceID: 'ROOT\\NET\\0001', Speed: 9e18 },
  ],
  addresses: [
    { Index: 1, Description: 'Intel', MACAddress: '8C:8C:AA:00:00:01', IPAddress: ['10.0.0.7', 'fe80::1'] },
    { Index: 2, Description: 'VPN', MACAddress: '00:FF:AA:00:00:01', IPAddress: null },
    { Index: 3, Description: 'WAN Miniport', MACAddress: null, IPAddress: null },
  ],
  disks: {
    FriendlyName: 'Samsung SSD',
    Manufacturer: null,
    Model: 'MZVL2512',
    SerialNumber: '0025_38B3.',
    Size: 512_110_190_592,
    MediaType: 4,
    BusType: 17,
  },
  volumes: [
    { DeviceID: 'C:', DriveType: 3, FileSystem: 'NTFS', Size: '500000000000', FreeSpace: '120000000000' },
    { DeviceID: 'D:', DriveType: 5, FileSystem: null, Size: null, FreeSpace: null },
  ],
  services: [
    { Name: 'LanmanServer', StartMode: 'Auto' },
    { Name: 'CDPUserSvc_5a3b2', StartMode: 'Auto' },
    { Name: 'Fax', StartMode: 'Manual' },
  ],
  processes: [{ Id: 4, ProcessName: 'System' }],
  tcp: [
    { LocalAddress: '0.0.0.0', LocalPort: 445, OwningProcess: 4 },
    { LocalAddress: '::', LocalPort: 49_664, OwningProcess: 700 },
  ],
  udp: { LocalAddress: 'fe80::1%5', LocalPort: 137, OwningProcess: 4 },
  users: [
    { Name: 'ann', Enabled: true, SID: 'S-1-5-21-1-2-3-1001' },
    { Name: 'Guest', Enabled: false, SID: 'S-1-5-21-1-2-3-501' },
  ],
  administrators: ['S-1-5-21-1-2-3-1001'],
  encryption: [{ DriveLetter: 'C:', ProtectionStatus: 1 }],
  firewall: [
    { Name: 'Domain', Enabled: 1 },
    { Name: 'Public', Enabled: 0 },
  ],
  antivirus: { displayName: 'Windows Defender' },
  defender: [],
  certificates: ['bm8gY2VydGlmaWNhdGU='],
  profiles: [{ SID: 'S-1-5-21-1-2-3-1001', LocalPath: 'C:\\Users\\ann' }],
  programs: [
    {
      PSPath: String.raw`Microsoft.PowerShell.Core\Registry::HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall\7-Zip`,
      DisplayName: '7-Zip 23.01 (x64)',
      DisplayVersion: '23.01',
      Publisher: 'Igor Pavlov',
      InstallDate: '20240102',
      SystemComponent: null,
      ParentKeyName: null,
    },
    {
      PSPath: String.raw`Microsoft.PowerShell.Core\Registry::HKEY_LOCAL_MACHINE\SOFTWARE\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall\Old`,
      DisplayName: 'Old Tool',
      DisplayVersion: null,
      Publisher: '',
      InstallDate: 'January',
      SystemComponent: 0,
    },
    {
      PSPath: String.raw`Microsoft.PowerShell.Core\Registry::HKEY_USERS\S-1-5-21-1-2-3-1001\Software\Microsoft\Windows\CurrentVersion\Uninstall\Zoom`,
      DisplayName: 'Zoom',
      DisplayVersion: '5.17',
    },
    {
      PSPath: String.raw`Microsoft.PowerShell.Core\Registry::HKEY_USERS\S-1-5-18\Software\Microsoft\Windows\CurrentVersion\Uninstall\X`,
      DisplayName: 'Of a service',
      DisplayVersion: '1',
    },
    { PSPath: 'HKLM', DisplayName: 'A part', DisplayVersion: '1', SystemComponent: 1 },
  ],
  hotfixes: [{ HotFixID: 'KB5034123', InstalledOn: '2024-02-13' }, { HotFixID: 'File 1' }],
}

const windows = (answer: string | undefined): Machine => ({
  ...thisMachine('/nowhere'),
  platform: 'win32',
  arch: 'x64',
  run: async () => answer,
})

test('Windows: all sections from one answer of PowerShell', async () => {
  let runs = 0
  const machine = windows(JSON.stringify(ANSWERS))
  const { sections, failed } = await collect({
    ...machine,
    run: (...of) => ((runs += 1), machine.run(...of)),
  })
  expect([runs, failed]).toEqual([1, []])
  expect(sections).toMatchObject({
    os: {
      id: 'windows',
      versionId: '10.0.22631.3447',
      codename: '23H2',
      prettyName: 'Microsoft Windows 11 Pro',
      hostname: 'pc-7.corp.example',
      machineId: 'f1d2c3b4-0000-4000-8000-000000000001',
    },
    hardware: { vendor: 'LENOVO', serial: 'PF3ABCDE', chassisType: '10', cpuCores: 12, tpmVersion: '2.0' },
    nics: [
      {
        name: 'Ethernet',
        mac: '8c:8c:aa:00:00:01',
        addresses: ['10.0.0.7', 'fe80::1'],
        isVirtual: false,
        speedMbps: 1_000,
      },
      { name: 'VPN', addresses: [], isVirtual: true },
    ],
    services: [{ name: 'CDPUserSvc' }, { name: 'LanmanServer' }],
    listening: [
      { protocol: 'tcp', address: '0.0.0.0', port: 445, program: 'System' },
      { protocol: 'udp', address: 'fe80::1', port: 137 },
    ],
    users: [
      { name: 'ann', rid: 1001, canLogIn: true, isAdministrator: true },
      { name: 'Guest', rid: 501, canLogIn: false, isAdministrator: false },
    ],
    disks: {
      disks: [{ model: 'MZVL2512', serial: '0025_38B3', type: 'ssd' }],
      fileSystems: [{ device: 'C:', type: 'ntfs', usedPercent: 75 }],
    },
    protection: {
      diskEncryption: 'bitlocker',
      firewall: 'none',
      antivirus: ['Windows Defender'],
      secureBoot: true,
    },
  })
  expect(sections['certs']).toBeUndefined()
})

test('Windows: programs of the machine, of 32 bits and of people, and updates', async () => {
  const { sections } = await collect(windows(JSON.stringify(ANSWERS)))
  expect(sections['software']).toEqual({
    complete: ['windows', 'hotfix'],
    items: [
      { origin: 'hotfix', name: 'KB5034123', version: '', installedAt: '2024-02-13' },
      {
        origin: 'windows',
        name: '7-Zip 23.01 (x64)',
        version: '23.01',
        arch: 'x64',
        vendor: 'Igor Pavlov',
        installedAt: '2024-01-02',
      },
      { origin: 'windows', name: 'Old Tool', version: '', arch: 'x86' },
      { origin: 'windows', name: 'Zoom', version: '5.17', arch: 'x64', user: 'ann' },
    ],
  })
})

test('Windows: a server on which no antivirus program is known says nothing of one', async () => {
  const { sections } = await collect(windows(JSON.stringify({ ...ANSWERS, antivirus: null, defender: null })))
  expect(sections['protection']).not.toHaveProperty('antivirus')
})

test.each([undefined, '', 'Access denied', '[]'])(
  'Windows: %j of PowerShell fails every section and clears none',
  async (answer) => {
    const { sections, failed } = await collect(windows(answer))
    expect(Object.keys(sections)).toEqual([])
    expect(failed).toContain('software')
  },
)

test('the script is one argument: without double quotes and line ends, and names all places of programs', () => {
  expect(SCRIPT).not.toMatch(/["\r\n]/)
  expect(SCRIPT).toContain(String.raw`HKEY_USERS\*\Software\Microsoft\Windows\CurrentVersion\Uninstall\*`)
  expect(SCRIPT.length).toBeLessThan(8_000)
})
