import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { thisMachine, type Machine } from '../machine.ts'
import { installedLibraries, librariesStamp } from './libraries.ts'
import type { Package } from './package-lists.ts'

function hostWith(files: Readonly<Record<string, string | Buffer>>): { root: string; machine: Machine } {
  const root = mkdtempSync(join(tmpdir(), 'libraries-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return { root, machine: thisMachine(root) }
}

const listed = async (machine: Machine, packages: readonly Package[]): Promise<string[]> =>
  (await installedLibraries(machine, packages)).items
    .map(({ purl = '', source }) => (source ? `${purl} of ${source.name}` : purl))
    .toSorted()

const packaged = (origin: Package['origin']): Package => ({ origin, name: 'x', version: '1' })
const IDNA = 'usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA'
const files = {
  [IDNA]: '',
  'usr/lib/python3/dist-packages/six-1.16.0.egg-info': '',
  'usr/local/lib/python3.11/dist-packages/ruamel.yaml_clib-0.2.7.dist-info/METADATA': '',
  'opt/app/lib/python3.9/site-packages/idna-3.3.dist-info/METADATA': '',
  'opt/odd/name.egg-info/PKG-INFO': '',
  'usr/share/nodejs/ip/package.json': '{"name":"ip","version":"1.1.5"}',
  'srv/a/node_modules/@x/y/package.json': '{ "name": "@x/y", "version": "2.0.0" }',
  'srv/a/node_modules/@x/y/test/package.json': '{ "name": "fixture", "version": "9" }',
  'srv/a/node_modules/broken/package.json': '{ "name": "broken", ',
  'var/lib/gems/3.1.0/specifications/nokogiri-1.13.10-x86_64-linux.gemspec': '',
  'var/www/a/vendor/composer/installed.json': '{"packages":[{"name":"a/b","version":"v1.0"},{"name":"c"},7]}',
  'home/ada/node_modules/private/package.json': '{ "name": "private", "version": "1.0.0" }',
}
const found = [
  'pkg:composer/a/b@1.0',
  'pkg:gem/nokogiri@1.13.10',
  'pkg:npm/%40x/y@2.0.0',
  'pkg:npm/ip@1.1.5 of node-ip',
  'pkg:pypi/idna@3.3',
  'pkg:pypi/idna@3.3 of python3-idna',
  'pkg:pypi/ruamel-yaml-clib@0.2.7',
  'pkg:pypi/six@1.16.0 of python3-six',
]

test.each<[Package['origin'], Readonly<Record<string, string>>]>([
  [
    'dpkg',
    {
      'var/lib/dpkg/info/python3-idna.list': `/usr\n/${IDNA}\n`,
      'var/lib/dpkg/info/python3-six:all.list': '/lib/python3/dist-packages/six-1.16.0.egg-info\n',
      'var/lib/dpkg/info/node-ip.list': '/usr/share/nodejs/ip/package.json\n',
      'var/lib/dpkg/info/app.list': '/opt/app/lib/python3.9/site-packages/idna-3.3.dist-info/METADATA\n',
    },
  ],
  [
    'apk',
    {
      'lib/apk/db/installed': `P:python3-idna\nF:${dirname(IDNA)}\nR:METADATA\n\nP:python3-six\nF:usr/lib/python3/dist-packages\nR:six-1.16.0.egg-info\n\nP:node-ip\nF:usr/share/nodejs/ip\nR:index.js\nR:package.json\n`,
    },
  ],
  [
    'pacman',
    {
      'var/lib/pacman/local/python3-idna-3.3-1/files': `%FILES%\n${IDNA}\n`,
      'var/lib/pacman/local/python3-six-1.16.0-2/files':
        '%FILES%\nusr/lib/python3/dist-packages/six-1.16.0.egg-info\n',
      'var/lib/pacman/local/node-ip-1-1/files': '%FILES%\nusr/share/nodejs/ip/package.json\n',
    },
  ],
])('libraries of every language, and the packages they belong to: %s', async (origin, manager) => {
  const { machine } = hostWith({ ...files, ...manager })
  expect(await listed(machine, [packaged(origin)])).toEqual(found)
})

/** As `rpm -qf` of RPM 4.18 answers; its code of failure is the number of files without a package. */
test('rpm: by file, also where several packages share one, and not of another maker', async () => {
  const answers = new Map([
    [`/${IDNA}`, 'python3-idna\tRed Hat, Inc.\n'],
    [
      '/usr/lib/python3/dist-packages/six-1.16.0.egg-info',
      'python3-six\tRed Hat, Inc.\npython3-six\tRed Hat, Inc.\n',
    ],
    ['/usr/share/nodejs/ip/package.json', 'node-ip\tSomebody\n'],
  ])
  const machine: Machine = {
    ...hostWith(files).machine,
    run: async (program, args, mayFail) => {
      expect([program, ...args.slice(0, 2), mayFail]).toEqual(['rpm', '-qf', '--qf', true])
      return args
        .slice(3)
        .map((it) => answers.get(it) ?? `file ${it} is not owned by any package\n`)
        .join('')
    },
  }
  const glibc: Package = { origin: 'rpm', name: 'glibc', version: '1', vendor: 'Red Hat, Inc.' }
  const owned = found.map((it) => it.replace(' of node-ip', ''))
  expect(await listed(machine, [glibc])).toEqual(owned.toSorted())
  const without: Machine = { ...machine, run: async () => undefined }
  await expect(installedLibraries(without, [glibc])).rejects.toThrow('no program rpm')
})

test('a library at several places is one, with a few of them', async () => {
  const place = (at: number) => `opt/app${at}/node_modules/ms/package.json`
  const manifests = Array.from({ length: 8 }, (_, at) => [place(at), '{"name":"ms","version":"2.0.0"}'])
  const { items, isComplete } = await installedLibraries(hostWith(Object.fromEntries(manifests)).machine, [])
  expect(isComplete).toBe(true)
  expect(items).toHaveLength(1)
  expect(items[0]?.paths).toHaveLength(5)
})

test('limits: what is beyond them is not looked at, and the list says that it is not complete', async () => {
  const { machine, root } = hostWith(files)
  symlinkSync('/', join(root, 'opt/app/all'))
  const of = async (limits: object) =>
    (
      await installedLibraries(machine, [], {
        folders: 1e4,
        files: 1e4,
        libraries: 1e4,
        milliseconds: 1e4,
        ...limits,
      })
    ).isComplete
  expect(await of({})).toBe(true)
  expect(await of({ folders: 3 })).toBe(false)
  expect(await of({ files: 2 })).toBe(false)
  expect(await of({ libraries: 3 })).toBe(false)
  expect(await of({ milliseconds: -1 })).toBe(false)
})

test('one list of thousands is cut, and what is cut does not count as removed', async () => {
  const packages = Array.from({ length: 30_000 }, (_, at) => ({ name: `a/p${at}`, version: '1.0' }))
  const { machine } = hostWith({ 'var/www/a/vendor/composer/installed.json': JSON.stringify({ packages }) })
  const { items, isComplete } = await installedLibraries(machine, [])
  expect([items.length, isComplete]).toEqual([20_000, false])
})

test('a file that became a link or a pipe since it was found is not read, and nobody waits for it', () => {
  const { machine, root } = hostWith({ 'etc/secret': 'x'.repeat(100) })
  symlinkSync(join(root, 'etc/secret'), join(root, 'etc/link'))
  execFileSync('/usr/bin/mkfifo', [join(root, 'etc/pipe')])
  expect(() => machine.part('/etc/link', 0, 10)).toThrow('ELOOP')
  expect(() => machine.part('/etc/pipe', 0, 10)).toThrow('ESPIPE')
  expect(machine.part('/etc/secret', 0, 10).toString()).toBe('xxxxxxxxxx')
})

test('the stamp changes with a folder of libraries', async () => {
  const { machine, root } = hostWith(files)
  const before = await librariesStamp(machine)
  expect(await librariesStamp(machine)).toBe(before)
  writeFileSync(join(root, 'usr/lib/python3/dist-packages/new.py'), '')
  expect(await librariesStamp(machine)).not.toBe(before)
})

/** A stored archive of one file, and a deflated one, as `zip` writes them. */
function zipOf(files: Readonly<Record<string, string | Buffer>>, ...options: string[]): Buffer {
  const { root } = hostWith(files)
  return execFileSync('zip', ['-q', '-r', ...options, '-', ...Object.keys(files)], { cwd: root })
}
const properties = (artifact: string) => ({
  [`META-INF/maven/org.example/${artifact}/pom.properties`]: `#Generated\nversion=1.2\r\ngroupId=org.example\r\nartifactId=${artifact}\r\n`,
})

const hasZip = spawnSync('zip', ['-v'], { stdio: 'ignore' }).status === 0

test.skipIf(!hasZip)('jars: what Maven wrote into them, and into jars in jars', async () => {
  const inner = zipOf(properties('inner'))
  const outer = zipOf(
    { ...properties('outer'), ...properties('shaded'), 'BOOT-INF/lib/inner.jar': inner },
    '-0',
  )
  const { machine } = hostWith({
    'opt/a/deflated.jar': zipOf(properties('deflated')),
    'opt/a/outer.jar': outer,
    'opt/a/cut.jar': outer.subarray(0, outer.length - 40),
    'opt/a/noise.jar': Buffer.from('PK\u0005\u0006'.repeat(50)),
    'opt/a/empty.jar': '',
  })
  expect(await listed(machine, [])).toEqual(
    ['deflated', 'inner', 'outer', 'shaded'].map((it) => `pkg:maven/org.example/${it}@1.2`),
  )
})
