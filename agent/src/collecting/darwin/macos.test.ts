import { expect, test } from 'vitest'
import { collect } from '../collect.ts'
import { thisMachine, type Machine } from '../machine.ts'

/** Written after the manual pages and published output of these programs: no Mac was at hand. */
const PROGRAMS: Readonly<Record<string, string>> = {
  sw_vers: 'ProductName:\t\tmacOS\nProductVersion:\t\t14.4.1\nBuildVersion:\t\t23E224\n',
  'sysctl kern.osrelease kern.hostname': 'kern.osrelease: 23.4.0\nkern.hostname: mac-3.local\n',
  'sysctl hw.memsize hw.packages hw.physicalcpu hw.logicalcpu machdep.cpu.brand_string':
    'hw.memsize: 17179869184\nhw.packages: 1\nhw.physicalcpu: 8\nhw.logicalcpu: 8\nmachdep.cpu.brand_string: Apple M1\n',
  'ioreg -rd1 -c IOPlatformExpertDevice': `+-o J313AP  <class IOPlatformExpertDevice, id 0x100000230>
    {
      "manufacturer" = <"Apple Inc.">
      "model" = <"MacBookAir10,1">
      "IOPlatformSerialNumber" = "C02ABC123DEF"
      "IOPlatformUUID" = "12345678-ABCD-5EF0-9234-567890ABCDEF"
    }`,
  'system_profiler -json -detailLevel mini SPApplicationsDataType SPStorageDataType SPNVMeDataType':
    JSON.stringify({
      SPApplicationsDataType: [
        { _name: 'Safari', path: '/Applications/Safari.app', version: '17.4.1', obtained_from: 'apple' },
        {
          _name: 'Firefox',
          path: '/Applications/Firefox.app',
          version: '125.0',
          obtained_from: 'identified_developer',
          signed_by: ['Developer ID Application: Mozilla Corporation (43AQ936H96)', 'Apple Root CA'],
        },
        { _name: 'Updater', path: '/Applications/Firefox.app/Contents/MacOS/updater.app', version: '1.0' },
        { _name: 'Notes.2', path: '/Users/ann/Applications/Notes.2.app' },
        { _name: 'Finder', path: '/System/Library/CoreServices/Finder.app', version: '14.4' },
      ],
      SPStorageDataType: [
        {
          _name: 'Macintosh HD',
          bsd_name: 'disk3s1s1',
          file_system: 'APFS',
          mount_point: '/',
          size_in_bytes: 494_384_795_648,
          free_space_in_bytes: 247_192_397_824,
        },
      ],
      SPNVMeDataType: [
        {
          _name: 'Apple SSD Controller',
          _items: [
            {
              _name: 'APPLE SSD AP0512Q',
              bsd_name: 'disk0',
              device_model: 'APPLE SSD AP0512Q',
              device_serial: '0ba0126e41c2ea25 ',
              size_in_bytes: 500_277_792_768,
            },
          ],
        },
      ],
    }),
  'lsof -nP -iTCP -sTCP:LISTEN -iUDP -F pcPn':
    'p1\nclaunchd\nf7\nPTCP\nn*:22\nf8\nPTCP\nn[::1]:631\np200\ncmDNSResponder\nf5\nPUDP\nn*:5353\nf6\nPUDP\nn*:54321\nf9\nPUDP\nn*:*\n',
  'dscl . -list /Users UniqueID': '_www      70\nann       501\nroot      0\nnobody    -2\n',
  'dscl . -read /Groups/admin GroupMembership': 'GroupMembership: root ann\n',
  'fdesetup status': 'FileVault is On.\n',
  '/usr/libexec/ApplicationFirewall/socketfilterfw --getglobalstate': 'Firewall is disabled. (State = 0)\n',
}

const folders: Readonly<Record<string, readonly string[]>> = {
  '/opt/homebrew/Cellar': ['openssl@3'],
  '/opt/homebrew/Cellar/openssl@3': ['3.2.1', '3.3.0_1', '.metadata'],
  '/Library/LaunchDaemons': ['com.crowdstrike.falcond.plist', 'org.example.plist'],
}

const mac = (programs = PROGRAMS): Machine => ({
  ...thisMachine('/nowhere'),
  platform: 'darwin',
  arch: 'arm64',
  list: async (path) => folders[path] ?? [],
  run: async (program, args) => programs[[program, ...args].join(' ')],
  interfaces: () => ({
    en0: [
      {
        address: '10.0.0.3',
        mac: 'f0:18:98:00:00:01',
        netmask: '',
        family: 'IPv4',
        internal: false,
        cidr: null,
      },
    ],
    utun3: [
      {
        address: '100.64.0.2',
        mac: '00:00:00:00:00:00',
        netmask: '',
        family: 'IPv4',
        internal: false,
        cidr: null,
      },
    ],
  }),
})

test('macOS: all sections from the programs that come with it', async () => {
  const { sections, failed } = await collect(mac())
  expect(failed).toEqual([])
  expect(sections).toMatchObject({
    os: { id: 'macos', versionId: '14.4.1', prettyName: 'macOS 14.4.1', kernel: '23.4.0', hostname: 'mac-3' },
    hardware: {
      model: 'MacBookAir10,1',
      serial: 'C02ABC123DEF',
      uuid: '12345678-abcd-5ef0-9234-567890abcdef',
      cpuCores: 8,
    },
    nics: [{ name: 'en0', mac: 'f0:18:98:00:00:01', addresses: ['10.0.0.3'], isVirtual: false }],
    software: {
      complete: ['macos', 'brew'],
      items: [
        { origin: 'brew', name: 'openssl@3', version: '3.2.1' },
        { origin: 'brew', name: 'openssl@3', version: '3.3.0_1' },
        { origin: 'macos', name: 'Firefox', version: '125.0', vendor: 'Mozilla Corporation' },
        { origin: 'macos', name: 'Notes.2', version: '', user: 'ann' },
        { origin: 'macos', name: 'Safari', version: '17.4.1', vendor: 'Apple' },
      ],
    },
    services: [{ name: 'com.crowdstrike.falcond' }, { name: 'org.example' }],
    listening: [
      { protocol: 'tcp', address: '0.0.0.0', port: 22, program: 'launchd' },
      { protocol: 'tcp', address: '::1', port: 631 },
      { protocol: 'udp', address: '0.0.0.0', port: 5_353, program: 'mDNSResponder' },
    ],
    users: [
      { name: 'ann', uid: 501, isAdministrator: true },
      { name: 'root', uid: 0 },
    ],
    disks: {
      disks: [{ name: 'disk0', serial: '0ba0126e41c2ea25' }],
      fileSystems: [{ mountedAt: '/', type: 'apfs', usedPercent: 50 }],
    },
    protection: { diskEncryption: 'filevault', firewall: 'none', antivirus: ['CrowdStrike Falcon'] },
  })
})

test('macOS: a program that is not there fails its sections, and the others are told', async () => {
  const { 'fdesetup status': _, ...rest } = PROGRAMS
  const without = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith('system_profiler')),
  )
  const { sections, failed } = await collect(mac(without))
  expect(failed).toEqual(['software', 'disks'])
  expect(sections['protection']).toEqual({ firewall: 'none', antivirus: ['CrowdStrike Falcon'] })
})
