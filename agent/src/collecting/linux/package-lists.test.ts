import { expect, test } from 'vitest'
import { processorIn } from './hardware.ts'
import { socketsIn } from './listening-ports.ts'
import { assignments } from './operating-system.ts'
import { apkPackages, dpkgPackages, pacmanPackages, rpmPackages } from './package-lists.ts'

test('dpkg: installed packages with the source that they were built from, not removed ones', () => {
  const text = `Package: libssl3
Status: install ok installed
Architecture: amd64
Source: openssl (3.0.11-1)
Version: 3.0.11-1~deb12u2
Description: Secure Sockets Layer
 Version: of a continued line

Package: gone
Status: deinstall ok config-files
Version: 1.0
`
  expect(dpkgPackages(text)).toEqual([
    {
      origin: 'dpkg',
      name: 'libssl3',
      version: '3.0.11-1~deb12u2',
      arch: 'amd64',
      source: { name: 'openssl', version: '3.0.11-1' },
    },
  ])
})

test('rpm, apk and pacman', () => {
  const rpm =
    'openssl-libs\t1:1.1.1k-12.el8_9\tx86_64\tRed Hat, Inc.\topenssl-1.1.1k-12.el8_9.src.rpm\t1700000000\n'
  expect(rpmPackages(`${rpm}gpg-pubkey\t0:1-1\t(none)\t(none)\t(none)\t1\n`)).toEqual([
    {
      origin: 'rpm',
      name: 'openssl-libs',
      version: '1:1.1.1k-12.el8_9',
      arch: 'x86_64',
      vendor: 'Red Hat, Inc.',
      source: { name: 'openssl' },
      installedAt: '2023-11-14T22:13:20.000Z',
    },
  ])
  expect(apkPackages('C:Q1\nP:libcrypto3\nV:3.1.4-r5\nA:x86_64\no:openssl\n\n')).toEqual([
    { origin: 'apk', name: 'libcrypto3', version: '3.1.4-r5', arch: 'x86_64', source: { name: 'openssl' } },
  ])
  expect(
    pacmanPackages(['%NAME%\nbash\n\n%VERSION%\n5.2.026-2\n\n%BASE%\nbash\n\n%ARCH%\nx86_64\n']),
  ).toEqual([{ origin: 'pacman', name: 'bash', version: '5.2.026-2', arch: 'x86_64' }])
})

test('sockets of /proc/net, IPv4 and IPv6', () => {
  const rest = '00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1'
  expect(socketsIn(`head\n   0: 0100007F:0016 ${rest}\n`, '0A')).toEqual([
    { address: '127.0.0.1', port: 22, inode: '4711' },
  ])
  expect(socketsIn(`head\n   0: 00000000000000000000000001000000:0050 ${rest}\n`, '0A')).toEqual([
    { address: '::1', port: 80, inode: '4711' },
  ])
  expect(socketsIn(`head\n   0: 0100007F:0016 ${rest}\n`, '07')).toEqual([])
})

test('os-release with quotes, and the processor', () => {
  expect([...assignments('ID=debian\nNAME="A \\"B\\""\n# no\nX=\'y z\'\n')]).toEqual([
    ['ID', 'debian'],
    ['NAME', 'A "B"'],
    ['X', 'y z'],
  ])
  const core = (n: number) =>
    `processor\t: ${n}\nmodel name\t: AMD EPYC\nphysical id\t: 0\ncore id\t\t: ${n}\nflags\t\t: fpu hypervisor\n`
  expect(processorIn(`${core(0)}\n${core(1)}\n`)).toEqual({
    model: 'AMD EPYC',
    sockets: 1,
    cores: 2,
    threads: 2,
    isGuest: true,
  })
})
