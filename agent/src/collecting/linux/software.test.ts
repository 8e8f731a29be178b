import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { thisMachine, type Machine } from '../machine.ts'
import { installedSoftware, softwareStamp } from './software.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'software-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

/** With all fields that Alpine's wiki (Apk spec) documents of the database; the values are made up. */
const apkOf = (name: string, version: string, origin: string): string => `C:Q1pZ1xk0mRZlJ0c3Q5e1r8b2nVw2M=
P:${name}
V:${version}
A:x86_64
S:53211
I:327680
T:A package
U:https://example.org/
L:MIT
o:${origin}
m:Somebody <somebody@example.org>
t:1700000000
c:0123456789abcdef0123456789abcdef01234567
D:so:libc.musl-x86_64.so.1
p:cmd:x=${version}
F:usr
F:usr/bin
R:x
a:0:0:755
Z:Q1aaaaaaaaaaaaaaaaaaaaaaaaaaa=
`

test.each(['lib/apk/db/installed', 'usr/lib/apk/db/installed'])('apk: the database in /%s', async (path) => {
  const text = `${apkOf('libcrypto3', '3.1.4-r5', 'openssl')}\n${apkOf('busybox', '1.36.1-r15', 'busybox')}\n`
  const root = folderWith({ [path]: text, 'etc/os-release': 'ID=alpine\n' })
  const machine = thisMachine(root)
  expect(await installedSoftware(machine)).toEqual({
    complete: ['apk', 'library'],
    items: [
      { origin: 'apk', name: 'busybox', version: '1.36.1-r15', arch: 'x86_64' },
      { origin: 'apk', name: 'libcrypto3', version: '3.1.4-r5', arch: 'x86_64', source: { name: 'openssl' } },
    ],
  })
  const before = await softwareStamp(machine)
  writeFileSync(join(root, path), `${text}${apkOf('curl', '8.4.0-r0', 'curl')}\n`)
  expect(await softwareStamp(machine)).not.toBe(before)
})

const hasRpm = spawnSync('rpmbuild', ['--version']).status === 0

const specOf = (name: string, head: string): string =>
  `Name: ${name}\n${head}Release: 5.el9\nSummary: x\nLicense: x\nBuildArch: noarch\nVendor: Example Linux\n` +
  `%description\nx\n%files\n%package libs\nSummary: y\n%description libs\ny\n%files libs\n`

/** A database that RPM itself wrote, of packages that it built, read by the agent's own question. */
test.skipIf(!hasRpm)('rpm: epochs, sources, makers and times, as RPM prints them', async () => {
  const root = folderWith({
    'specs/whole.spec': specOf('whole', 'Epoch: 1\nVersion: 1.1.1k\n'),
    'specs/plain.spec': specOf('plain', 'Version: 2.0~rc1\n'),
    'var/lib/rpm/rpmdb.sqlite': '',
  })
  const database = ['--dbpath', join(root, 'db')]
  const quiet = { stdio: 'ignore' } as const
  const specs = readdirSync(join(root, 'specs')).map((it) => join(root, 'specs', it))
  execFileSync('rpmbuild', ['-bb', '--define', `_topdir ${root}`, ...specs], quiet)
  const built = readdirSync(join(root, 'RPMS/noarch')).map((it) => join(root, 'RPMS/noarch', it))
  execFileSync('rpm', [...database, '-i', '--nodeps', '--justdb', ...built], quiet)
  const host = thisMachine(root)
  const machine: Machine = {
    ...host,
    run: (program, args, mayFail) => host.run(program, [...database, ...args], mayFail),
  }
  const { complete, items } = (await installedSoftware(machine)) as {
    complete: string[]
    items: { installedAt?: string }[]
  }
  expect(complete).toEqual(['rpm', 'library'])
  const common = {
    origin: 'rpm',
    arch: 'noarch',
    vendor: 'Example Linux',
    installedAt: expect.stringMatching(/^20\d\d-.+Z$/) as string,
  }
  expect(items).toEqual([
    { ...common, name: 'plain', version: '0:2.0~rc1-5.el9' },
    { ...common, name: 'plain-libs', version: '0:2.0~rc1-5.el9', source: { name: 'plain' } },
    { ...common, name: 'whole', version: '1:1.1.1k-5.el9' },
    { ...common, name: 'whole-libs', version: '1:1.1.1k-5.el9', source: { name: 'whole' } },
  ])
})

test('a database of RPM without its program is an error, not an empty list', async () => {
  const host = thisMachine(folderWith({ 'var/lib/rpm/rpmdb.sqlite': '' }))
  const machine: Machine = { ...host, run: () => Promise.resolve(undefined) }
  await expect(installedSoftware(machine)).rejects.toThrow('no program rpm')
})
