import { expect, test } from 'vitest'
import { ecosystemOf, ecosystemOfPurl, ecosystemOfRelease, systemCpe } from './ecosystems.ts'
import { parsePurl } from './purl.ts'

test.each([
  ['debian', '12', 'Debian:12'],
  ['ubuntu', '22.04', 'Ubuntu:22.04'],
  ['alpine', '3.19.1', 'Alpine:v3.19'],
  ['rhel', '8.9', 'Red Hat:8'],
  ['centos', '7', 'Red Hat:7'],
  ['rocky', '9.3', 'Rocky Linux:9'],
  ['almalinux', '9.3', 'AlmaLinux:9'],
  ['ol', '8.9', 'Oracle Linux:8'],
  ['fedora', '40', 'Fedora:40'],
  ['amzn', '2023', 'Amazon Linux:2023'],
  ['sles', '15.5', 'SUSE:Linux Enterprise Server 15 SP5'],
  ['opensuse-leap', '15.5', 'openSUSE:Leap 15.5'],
  ['arch', '', 'Arch'],
  ['debian', '', ''],
  ['windows', '10.0.20348', ''],
])('%s %s is %s', (id, versionId, wanted) => {
  expect(ecosystemOfRelease({ id, versionId })).toBe(wanted)
})

test.each([
  ['pkg:pypi/flask@1', 'PyPI'],
  ['pkg:npm/x@1', 'npm'],
  ['pkg:deb/debian/x@1?distro=debian-12', 'Debian:12'],
  ['pkg:deb/debian/x@1?distro=bookworm', 'Debian:12'],
  ['pkg:deb/ubuntu/x@1?distro=ubuntu-22.04', 'Ubuntu:22.04'],
  ['pkg:apk/alpine/x@1?distro=alpine-3.19.1', 'Alpine:v3.19'],
  ['pkg:rpm/redhat/x@1?distro=rhel-8.9', 'Red Hat:8'],
  ['pkg:rpm/rocky/x@1?distro=rocky-9.3', 'Rocky Linux:9'],
  ['pkg:deb/debian/x@1', ''],
  ['pkg:generic/x@1', ''],
])('%s is of %s', (text, wanted) => {
  const purl = parsePurl(text)
  expect(purl && ecosystemOfPurl(purl)).toBe(wanted)
})

test('packages of the system are of the system, others say themselves', () => {
  const release = { id: 'debian', versionId: '12' }
  expect(ecosystemOf({ origin: 'dpkg' }, release)).toBe('Debian:12')
  expect(ecosystemOf({ origin: 'dpkg' }, undefined)).toBe('')
  expect(ecosystemOf({ origin: 'sbom', purl: 'pkg:gem/rails@7' }, release)).toBe('RubyGems')
  expect(ecosystemOf({ origin: 'windows' }, release)).toBe('')
})

test('a system has a CPE where its makers count its builds', () => {
  const server = {
    id: 'windows',
    versionId: '10.0.20348.2340',
    prettyName: 'Microsoft Windows Server 2022 Datacenter',
  }
  expect(systemCpe(server)).toBe('cpe:2.3:o:microsoft:windows_server_2022:10.0.20348.2340:*:*:*:*:*:*:*')
  expect(systemCpe({ id: 'windows', versionId: '10.0.19045.4170', prettyName: 'Windows 10 Pro' })).toContain(
    ':windows_10_22h2:',
  )
  expect(systemCpe({ id: 'macos', versionId: '14.4' })).toContain(':apple:macos:14.4:')
  expect(systemCpe({ id: 'debian', versionId: '12' })).toBe('')
})
