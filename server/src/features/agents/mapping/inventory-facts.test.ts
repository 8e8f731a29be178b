import { describe, expect, test } from 'vitest'
import type { Content, Inventory, Row } from '../messages/message.ts'
import { factsIn, factsWithin } from './inventory-facts.ts'
import { softwareIn } from './inventory-software.ts'
import { releaseIn } from './os-release.ts'

type Fields = Readonly<Record<string, string>>
const contentOf = (categories: Readonly<Record<string, readonly Fields[]>>): Content =>
  new Map(
    Object.entries(categories).map(([name, rows]): [string, readonly Row[]] => [
      name,
      rows.map((fields) => new Map(Object.entries(fields))),
    ]),
  )
const factsOf = (categories: Readonly<Record<string, readonly Fields[]>>) =>
  factsIn({
    kind: 'glpi',
    deviceId: 'd',
    isPartial: false,
    itemType: 'Computer',
    tag: '',
    version: '1.11',
    content: contentOf(categories),
  } satisfies Inventory)

describe('facts of a host', () => {
  test('say what the agent told of it, by the names that scans use', () => {
    const facts = factsOf({
      hardware: [{ memory: '2048', vmsystem: 'KVM', processort: 'older' }],
      operatingsystem: [{ kernel_version: '6.1.0', arch: 'x86_64' }],
      bios: [{ bversion: '2.1' }],
      cpus: [{ name: 'Xeon', type: 'x', cpuarch: 'other' }],
      drives: [{ volumn: '/dev/sda1', type: '/', filesystem: 'ext4', total: '1000', free: '480' }],
      storages: [
        { name: 'sda', model: 'M', manufacturer: 'Maker', serial: 'S1', disksize: '7', type: 'disk' },
      ],
      virtualmachines: [{ name: 'vm', uuid: 'u', status: 'running', vmtype: 'kvm' }],
      antivirus: [{ name: 'av', company: 'C', version: '1', enabled: '1', uptodate: '0' }],
      firewalls: [{ description: 'a', profile: 'public', status: 'on' }],
      firewall: [{ description: 'b', status: 'off' }],
      monitors: [{ caption: 'm', manufacturer: 'M', serial: 'S2', description: 'd' }],
      memories: [{ numslots: '1', capacity: '1024', type: 'DDR4', manufacturer: 'M' }],
      local_users: [{ login: 'ann' }, {}],
    })
    expect(facts).toEqual({
      agentVersion: '1.11',
      kernel: '6.1.0',
      architecture: 'x86_64',
      cpuModel: 'Xeon',
      memoryBytes: 2_147_483_648,
      virtualization: 'KVM',
      biosVersion: '2.1',
      fileSystems: [
        { device: '/dev/sda1', mountedAt: '/', type: 'ext4', sizeBytes: 1_048_576_000, usedPercent: 50 },
      ],
      disks: [{ name: 'sda', model: 'M', maker: 'Maker', serial: 'S1', size: '7', type: 'disk' }],
      virtualMachines: [{ name: 'vm', uuid: 'u', status: 'running', system: 'kvm' }],
      antivirus: [{ name: 'av', maker: 'C', version: '1', enabled: '1', upToDate: '0' }],
      firewalls: [
        { name: 'a', profile: 'public', status: 'on' },
        { name: 'b', status: 'off' },
      ],
      monitors: [{ name: 'm', maker: 'M', serial: 'S2', description: 'd' }],
      memories: [{ slot: '1', size: '1024', type: 'DDR4', maker: 'M' }],
      accounts: ['ann', ''],
    })
  })

  test.each<[string, Fields, object]>([
    [
      'a drive letter',
      { letter: 'C:', total: '10', free: '10' },
      { device: 'C:', sizeBytes: 10_485_760, usedPercent: 0 },
    ],
    ['a full one', { total: '10', free: '0' }, { sizeBytes: 10_485_760, usedPercent: 100 }],
    ['one without a size', { volumn: 'x', total: '0', free: '0' }, { device: 'x' }],
    ['one without free space', { total: '10' }, { sizeBytes: 10_485_760 }],
    ['one with less than nothing', { total: '10', free: '-1' }, { sizeBytes: 10_485_760 }],
  ])('of file systems: %s', (_, fields, expected) => {
    expect(factsOf({ drives: [fields] })['fileSystems']).toEqual([expected])
  })

  test('fall back to what older agents tell', () => {
    expect(factsOf({ cpus: [{ type: 'Core', cpuarch: 'i686' }] })).toMatchObject({
      cpuModel: 'Core',
      architecture: 'i686',
    })
    expect(factsOf({ hardware: [{ processort: 'P4' }] })).toEqual({ agentVersion: '1.11', cpuModel: 'P4' })
    for (const memory of ['', 'much', '0', '-1'])
      expect(factsOf({ hardware: [{ memory }] })).not.toHaveProperty('memoryBytes')
  })

  test('are cut to what an observation may carry, the later lists first, and say so', () => {
    const long = 'x'.repeat(1_000)
    const many = Array.from({ length: 40 }, () => long)
    const facts = factsWithin({ kernel: '6' }, { first: many, second: many, third: many })
    expect(facts['first']).toHaveLength(40)
    const kept = (facts['second'] as unknown[]).length
    expect(kept).toBeGreaterThan(10)
    expect(kept).toBeLessThan(40)
    expect(facts).not.toHaveProperty('third')
    expect(facts['notes']).toEqual([`second: ${kept} of 40`])
    expect(JSON.stringify(facts).length).toBeLessThan(57 * 1_024)
    expect(factsWithin({}, { first: ['a'], none: [] })).toEqual({ first: ['a'] })
  })
})

describe('the release of an operating system', () => {
  const release = (system: Fields | undefined, hardware: Fields = {}) =>
    releaseIn(contentOf({ hardware: [hardware], ...(system && { operatingsystem: [system] }) }))

  test.each<[Fields, string, string]>([
    [{ name: 'Raspbian', version: '11.4' }, 'raspbian', '11'],
    [{ name: 'Ubuntu', version: '22.04.3' }, 'ubuntu', '22.04'],
    [{ name: 'Debian', version: '12.5' }, 'debian', '12'],
    [{ full_name: 'Red Hat Enterprise Linux 9.3 (Plow)' }, 'rhel', '9.3'],
    [{ name: 'CentOS Stream', version: '9' }, 'centos', '9'],
    [{ name: 'Rocky Linux', version: '9.3' }, 'rocky', '9.3'],
    [{ name: 'AlmaLinux', version: '8.9' }, 'almalinux', '8.9'],
    [{ name: 'Oracle Linux Server', version: '8.9' }, 'ol', '8.9'],
    [{ name: 'Fedora Linux', version: '40' }, 'fedora', '40'],
    [{ name: 'Amazon Linux', version: '2023' }, 'amzn', '2023'],
    [{ name: 'openSUSE Tumbleweed', version: '20240101' }, 'opensuse-tumbleweed', '20240101'],
    [{ name: 'openSUSE Leap', version: '15.5' }, 'opensuse-leap', '15.5'],
    [{ name: 'SUSE Linux Enterprise Desktop', version: '15' }, 'sled', '15'],
    [{ name: 'SLES', version: '15.5' }, 'sles', '15.5'],
    [{ name: 'Alpine', version: '3.19.1' }, 'alpine', '3.19.1'],
    [{ name: 'Arch Linux' }, 'arch', ''],
    [{ name: 'Mageia', version: '9' }, 'mageia', '9'],
    [{ name: 'VMware Photon OS', version: '5.0' }, 'photon', '5.0'],
    [{ name: 'FreeBSD', version: '14.0-RELEASE' }, 'freebsd', '14.0'],
    [{ name: 'macOS', version: '14.2' }, 'macos', '14.2'],
    [{ name: 'Mac OS X', version: '10.15.7' }, 'macos', '10.15.7'],
    [{ name: 'Windows', version: '22H2', kernel_version: '10.0.19045' }, 'windows', '10.0.19045'],
    [{ name: 'Windows', version: '6.1.7601.1' }, 'windows', '6.1.7601.1'],
    [{ name: 'Windows', version: '22H2' }, 'windows', ''],
  ])('%j is %s %s', (system, id, versionId) => {
    expect(release(system)).toMatchObject({ id, versionId })
  })

  test('is told with its full name, its codename and its kernel', () => {
    const system = { name: 'Debian', full_name: 'Debian GNU/Linux 12 (bookworm)', kernel_version: '6.1.0' }
    expect(release(system)).toEqual({
      id: 'debian',
      versionId: '12',
      codename: 'bookworm',
      prettyName: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.1.0',
    })
    const windows = release({ name: 'Windows', kernel_version: '10.0.19045' }, { osversion: '10.0.1' })
    expect(windows).toEqual({ id: 'windows', versionId: '10.0.19045', prettyName: 'Windows' })
  })

  test('of older agents stands in another category; what is not known has none', () => {
    expect(release(undefined, { osname: 'Debian GNU/Linux', osversion: '11.2' })).toMatchObject({
      id: 'debian',
      versionId: '11',
      prettyName: 'Debian GNU/Linux',
    })
    // the version of the kernel, where there is a category of its own
    expect(release({ name: 'Fedora' }, { osversion: '6.1.0' })).toMatchObject({ versionId: '' })
    expect(release({ name: 'Plan 9' })).toBeUndefined()
    expect(release({})).toBeUndefined()
  })
})

describe('installed software', () => {
  const itemsOf = (row: Fields, id = 'debian') =>
    softwareIn(contentOf({ softwares: [row] }), { id, versionId: '1' }, [])

  test.each<[string, string]>([
    ['deb', 'dpkg'],
    ['RPM', 'rpm'],
    ['apk', 'apk'],
    ['pacman', 'pacman'],
    ['snap', 'snap'],
    ['flatpak', 'flatpak'],
    ['homebrew', 'brew'],
    ['brew', 'brew'],
    ['registry', 'windows'],
    ['wmi', 'hotfix'],
    ['uwp', 'windows'],
    ['pkg', 'pkg'],
    ['app', 'macos'],
  ])('from %s is of the origin %s', (from, origin) => {
    expect(itemsOf({ name: 'a', from })).toEqual({
      complete: [origin],
      items: [{ origin, name: 'a', version: '' }],
    })
  })

  test('has what the agent told of it', () => {
    const [deb] = itemsOf({
      name: 'libc6:amd64',
      from: 'deb',
      version: '2.36',
      architecture: 'amd64',
      publisher: 'libs',
      source: 'glibc',
      username: 'ann',
      install_date: '2025-04-20',
      last_used_on: '2025-05-01',
    }).items
    expect(deb).toEqual({
      origin: 'dpkg',
      name: 'libc6',
      version: '2.36',
      arch: 'amd64',
      source: { name: 'glibc' },
      user: 'ann',
      installedAt: new Date('2025-04-20T00:00:00Z'),
      lastUsedOn: '2025-05-01',
    })
    const [rpm] = itemsOf({ name: 'a:b', from: 'rpm', arch: 'x', publisher: 'Red Hat', source: 's' }).items
    expect(rpm).toEqual({ origin: 'rpm', name: 'a:b', version: '', arch: 'x', vendor: 'Red Hat' })
    expect(itemsOf({ name: 'a', from: 'deb', source: 'a' }).items[0]).not.toHaveProperty('source')
  })

  test.each([
    ['2025/04/20 00:00:00', '2025-04-20'],
    ['20/04/2025', '2025-04-20'],
    ['1970-00-01', undefined],
    ['1970-01-01', undefined],
    ['soon', undefined],
  ])('installed on %s', (installdate, day) => {
    const [item] = itemsOf({ name: 'a', from: 'rpm', installdate }).items
    expect(item?.installedAt?.toISOString().slice(0, 10)).toBe(day)
  })

  test.each([
    ['KB5034441', 'hotfix'],
    ['Security Update for Windows (KB5034441)', 'hotfix'],
    ['Hotfix for Windows (KB123456)', 'hotfix'],
    ['KB12', 'windows'],
    ['Knowledge Base', 'windows'],
  ])('%s of the registry is of the origin %s', (name, origin) => {
    expect(itemsOf({ name, from: 'registry' }).items[0]?.origin).toBe(origin)
  })

  test('without a name or an origin is none; origins that were there before are complete without it', () => {
    expect(itemsOf({ name: '', from: 'deb' }).items).toEqual([])
    expect(itemsOf({ name: 'a', from: 'stone' }).items).toEqual([])
    expect(itemsOf({ name: 'a' }, 'macos').items).toMatchObject([{ origin: 'macos' }])
    expect(softwareIn(contentOf({}), undefined, ['snap'])).toEqual({ complete: ['snap'], items: [] })
  })
})
