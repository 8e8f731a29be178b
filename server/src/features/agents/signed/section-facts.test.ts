import { expect, test } from 'vitest'
import { factsIn } from './section-facts.ts'
import { changedSoftware, releaseIn, softwareIn } from './section-software.ts'

test('facts of a report say what each section told, by the names that scans use', () => {
  const facts = factsIn(
    {
      os: { kernel: '6.1.0', arch: 'x86_64', timeZone: 'Europe/Berlin' },
      hardware: {
        boardVendor: 'Dell',
        cpuCores: 8,
        memoryBytes: 1_024,
        virtualization: '',
        tpmVersion: '2.0',
      },
      cloud: { provider: 'aws', instanceId: 'i-1', region: 'eu-west-1', secret: 'x' },
      protection: { diskEncryption: true, firewall: 'on', antivirus: ['a', 7] },
      nics: [{ name: 'eth0', mac: '00:11', addresses: ['10.0.0.1', 7] }, {}],
      disks: {
        fileSystems: [{ device: '/dev/sda1', mountedAt: '/', type: 'ext4', sizeBytes: 9, usedPercent: 5 }],
        disks: [{ name: 'sda', serial: 'S1', isRemovable: false, other: 1 }],
      },
      listening: [{ protocol: 'tcp', address: '0.0.0.0', port: 22 }],
      services: [{ name: 'ssh' }, { name: '' }],
      users: [
        { name: 'root', uid: 0, home: '/root', isAdministrator: true, canLogIn: false },
        { name: 'Ann', rid: 1_001, isAdministrator: false, canLogIn: false },
        { name: 'Bob', rid: 1_002, canLogIn: true },
      ],
      certs: [
        {
          path: '/etc/a.pem',
          subject: 'CN=a',
          issuer: 'CN=b',
          serialNumber: '1',
          sha256: 'ab',
          expiresAt: 'x',
        },
      ],
      containers: [{ engine: 'docker', id: 'c1', name: 'web', image: 'nginx', imageId: 'sha' }],
    },
    '0.2.0',
  )
  expect(facts).toEqual({
    agentVersion: '0.2.0',
    kernel: '6.1.0',
    architecture: 'x86_64',
    timeZone: 'Europe/Berlin',
    boardVendor: 'Dell',
    cpuCores: 8,
    memoryBytes: 1_024,
    tpmVersion: '2.0',
    protection: { diskEncryption: true, firewall: 'on', antivirus: ['a'] },
    cloud: { provider: 'aws', instanceId: 'i-1', region: 'eu-west-1' },
    interfaces: [
      { name: 'eth0', mac: '00:11', addresses: ['10.0.0.1'] },
      { name: '', mac: '', addresses: [] },
    ],
    fileSystems: [{ device: '/dev/sda1', mountedAt: '/', type: 'ext4', sizeBytes: 9, usedPercent: 5 }],
    disks: [{ name: 'sda', serial: 'S1', isRemovable: false }],
    listening: ['tcp 0.0.0.0 22'],
    services: ['ssh'],
    accounts: [
      { name: 'root', uid: 0, home: '/root', isAdministrator: true },
      { name: 'Ann', rid: 1_001, isAdministrator: false, isDisabled: true },
      { name: 'Bob', rid: 1_002, isDisabled: false },
    ],
    administrators: ['root'],
    certificates: [
      {
        path: '/etc/a.pem',
        subject: 'CN=a',
        issuer: 'CN=b',
        serialNumber: '1',
        sha256: 'ab',
        expiresAt: 'x',
      },
    ],
    containers: [{ engine: 'docker', id: 'c1', name: 'web', image: 'nginx', imageId: 'sha' }],
  })
})

test('what was not told, or in another form, is no fact', () => {
  expect(factsIn({}, '')).toEqual({})
  expect(factsIn({ os: 'debian', hardware: [1], nics: 'eth0', protection: {} }, '')).toEqual({
    protection: {},
  })
  expect(factsIn({ os: { kernel: 7, timeZone: Number.NaN }, cloud: { provider: '' } }, '')).toEqual({})
})

test('the release of the system has what its section told', () => {
  expect(releaseIn({ id: 'debian' })).toEqual({ id: 'debian', versionId: '' })
  const whole = {
    id: 'debian',
    versionId: '12',
    codename: 'bookworm',
    prettyName: 'Debian 12',
    kernel: '6.1',
  }
  expect(releaseIn({ ...whole, arch: 'x' })).toEqual(whole)
  expect(releaseIn({ versionId: '12' })).toBeUndefined()
})

const ITEM = {
  origin: 'dpkg',
  name: 'bash',
  version: '5.2',
  arch: 'amd64',
  vendor: 'v',
  user: 'ann',
  source: { name: 'src', version: '1' },
  installedAt: '2025-04-20T00:00:00Z',
  last_used_on: '2025-05-01',
  purl: 'pkg:deb/bash',
  paths: ['/bin/bash'],
}
const READ = {
  origin: 'dpkg',
  name: 'bash',
  version: '5.2',
  arch: 'amd64',
  vendor: 'v',
  user: 'ann',
  source: { name: 'src', version: '1' },
  installedAt: new Date('2025-04-20T00:00:00Z'),
  lastUsedOn: '2025-05-01',
  purl: 'pkg:deb/bash',
  paths: ['/bin/bash'],
}

test('items of software have what was told of them; those of no known origin or name are left out', () => {
  const items = [
    ITEM,
    { origin: 'rpm', name: 'a', source: { name: 's' }, installedAt: 'soon', paths: [] },
    { origin: 'stone', name: 'x' },
    { origin: 'dpkg', name: '' },
    'x',
  ]
  expect(softwareIn({ complete: ['dpkg', 'stone', 'dpkg'], items }, ['rpm', 'library'])).toEqual({
    complete: ['dpkg', 'rpm'],
    items: [READ, { origin: 'rpm', name: 'a', version: '', source: { name: 's' } }],
  })
})

test('a change of software has what was added and what was removed, and is complete for nothing', () => {
  expect(changedSoftware({ base: '', added: [ITEM], removed: [{ origin: 'rpm', name: 'b' }] })).toEqual({
    complete: [],
    items: [READ],
    removed: [{ origin: 'rpm', name: 'b', version: '' }],
  })
})

test('more rows than any host has are refused', () => {
  const rows = (n: number) => Array.from({ length: n }, () => ({}))
  const refused = (field: string) => expect.objectContaining({ status: 400, extras: { field } }) as Error
  expect(softwareIn({ items: rows(50_000) }, []).items).toEqual([])
  expect(() => softwareIn({ items: rows(50_001) }, [])).toThrow(refused('changed.software'))
  expect(changedSoftware({ base: '', added: rows(25_000), removed: rows(25_000) }).items).toEqual([])
  expect(() => changedSoftware({ base: '', added: rows(25_000), removed: rows(25_001) })).toThrow(
    refused('changes.software'),
  )
})
