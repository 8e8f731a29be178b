import { expect, test } from 'vitest'
import { libraryOf, withoutDistributionLibraries } from './distribution-libraries.ts'

const file = (name: string, version: string, of: { purl?: string; cpe?: string } = {}) => ({
  id: 1,
  origin: 'sbom',
  name,
  version,
  purl: of.purl ?? '',
  cpe: of.cpe ?? '',
})
const cpeOf = (vendor: string, product: string) => `cpe:2.3:a:${vendor}:${product}:1:*:*:*:*:*:*:*`

/** Programs that a tool found by their files, beside the packages of the distribution. */
test.each<[string, ReturnType<typeof file>, readonly [string, string, string?], boolean]>([
  [
    'Debian',
    file('python', '3.11.2', { purl: 'pkg:generic/python@3.11.2' }),
    ['python3.11-minimal', '3.11.2-6+deb12u4', 'python3.11'],
    true,
  ],
  [
    'Red Hat',
    file('python', '3.6.8', { purl: 'pkg:generic/python@3.6.8' }),
    ['platform-python', '3.6.8-56.el8', 'python3'],
    true,
  ],
  [
    'SUSE',
    file('python', '3.11.5', { purl: 'pkg:generic/python@3.11.5' }),
    ['python311', '3.11.5-150400.9.20.2'],
    true,
  ],
  [
    'another version, put there by hand',
    file('python', '3.12.1', { purl: 'pkg:generic/python@3.12.1' }),
    ['python3.11', '3.11.2-6'],
    false,
  ],
  [
    'by the CPE name',
    file('/usr/sbin/httpd', '2.4.57', { cpe: cpeOf('apache', 'http_server') }),
    ['apache2-bin', '2.4.57-2', 'apache2'],
    true,
  ],
  [
    'the major behind a dash',
    file('postgresql', '15.4', { purl: 'pkg:generic/postgresql@15.4' }),
    ['postgresql-15', '15.4-0+deb12u1'],
    true,
  ],
  [
    'Java',
    file('java', '17.0.9+9', { purl: 'pkg:generic/java@17.0.9%2B9' }),
    ['openjdk-17-jre-headless', '17.0.9+9-1~deb12u1', 'openjdk-17'],
    true,
  ],
  [
    'Go, whose versions begin with its name',
    file('go', 'go1.19.8', { purl: 'pkg:generic/go@1.19.8' }),
    ['golang-1.19-go', '1.19.8-2', 'golang-1.19'],
    true,
  ],
  [
    'a letter behind the version',
    file('openssl', '1.1.1n', { purl: 'pkg:generic/openssl@1.1.1n' }),
    ['openssl', '1.1.1n-0+deb11u5'],
    true,
  ],
  [
    'another program',
    file('nginx', '1.22.1', { purl: 'pkg:generic/nginx@1.22.1' }),
    ['haproxy', '1.22.1-1'],
    false,
  ],
])('a program, %s', (_, row, [name, version, sourceName = ''], isShipped) => {
  const set = { assetId: 'a', kernel: '', origin: 'sbom', ids: [1, 2], seenAt: '' }
  const built = { id: 2, name, sourceName, version, ecosystem: 'Debian:12' }
  const [left] = withoutDistributionLibraries(
    [set],
    [libraryOf(row)].flatMap((it) => it ?? []),
    [built],
  )
  expect(left?.ids).toEqual(isShipped ? [2] : [1, 2])
})

test('what is no file of a bill of materials, or no well-known program, is none', () => {
  expect(libraryOf(file('server', '1.0'))).toBeUndefined()
  expect(libraryOf(file('python', '3.11.2', { purl: 'pkg:deb/debian/python@3.11.2' }))).toBeUndefined()
  expect(libraryOf({ ...file('python', '3.11.2'), origin: 'windows' })).toBeUndefined()
  expect(libraryOf(file('constructor', '1.0', { cpe: cpeOf('x', 'constructor') }))).toBeUndefined()
})
