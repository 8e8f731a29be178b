import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { libraryQuestion } from './library-commands.ts'
import { librariesIn, notesOnLibraries } from './read-libraries.ts'
import type { Section } from './script-output.ts'

/** The question as shells of this machine answer it, about folders that are like those of hosts. */

const sectionOf = (text: string): Section => ({ text, code: 0, isCut: false })

const of = (section: Section): string[] =>
  librariesIn(section, []).items.map(({ purl = '', source }) => (source ? `${purl} of ${source.name}` : purl))

/** A host below a folder, whose paths are as if it were the root. */
function answerOf(
  files: Readonly<Record<string, string>>,
  shell: readonly string[],
  { path, before = '' }: { readonly path?: string; readonly before?: string } = {},
): Section {
  const root = mkdtempSync(join(tmpdir(), 'libraries-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  const command = libraryQuestion.command.replaceAll(
    /(?<=[\s'^])\/(?=(?:usr|var|opt|srv|app|lib)\b)/g,
    `${root}/`,
  )
  const script = `S=Linux; T=; has() { command -v "$1" >/dev/null 2>&1; }\n${before}\n${before === '' ? command.replaceAll('has rpm', 'false') : command}`
  const [program = '', ...args] = shell
  const text = execFileSync(program, args, {
    input: script,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C', ...(path !== undefined && { PATH: path }) },
  })
  return sectionOf(text.replaceAll(root, ''))
}

const files = {
  'usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA': 'Name: idna',
  'opt/a b/lib/python3.9/site-packages/idna-3.3.dist-info/METADATA': 'Name: idna',
  "srv/it's/node_modules/minimist/package.json": '{\n  "name": "minimist",\n  "version": "1.2.5"\n}',
  'srv/a/node_modules/minimist/test/fixtures/package.json': '{\n  "version": "9.9.9"\n}',
  'srv/a/node_modules/@x/nested/package.json':
    '{\n  "engines": {\n      "version": "8"\n  },\n  "version": "2.0.0"\n}',
  'usr/share/nodejs/ip/package.json': '{"name":"ip","version":"1.1.5"}',
  'var/www/a/vendor/composer/installed.json': `${JSON.stringify(
    { packages: [{ name: 'a/b', version: '1.0', authors: [{ name: 'Somebody' }] }] },
    undefined,
    4,
  )}\n`,
  'var/lib/gems/3.1.0/specifications/rack-2.2.3.gemspec': 'Gem::Specification',
}
const found = [
  'pkg:composer/a/b@1.0',
  'pkg:gem/rack@2.2.3',
  'pkg:npm/%40x/nested@2.0.0',
  'pkg:npm/ip@1.1.5 of of-ip',
  'pkg:npm/minimist@1.2.5',
  'pkg:pypi/idna@3.3 of of-idna',
  'pkg:pypi/idna@3.3',
]
const ofDpkg = {
  'var/lib/dpkg/info/of-idna.list': '/usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA\n',
  'var/lib/dpkg/info/of-ip.list': '/usr\n/usr/share/nodejs/ip/package.json\n',
}
/** With all fields that Alpine's wiki (Apk spec) documents of the database; the values are made up. */
const apkPackage = (name: string, files: string): string => `C:Q1pZ1xk0mRZlJ0c3Q5e1r8b2nVw2M=
P:${name}
V:3.3-r1
A:noarch
S:53211
I:327680
T:A package that owns files
U:https://example.org/
L:BSD-3-Clause
o:${name}
m:Somebody <somebody@example.org>
t:1665000000
c:9f3c5d1e0b7a4c2d8e6f1a2b3c4d5e6f7a8b9c0d
D:python3 so:libc.musl-x86_64.so.1
p:py3.10:idna=3.3-r1 cmd:idna=3.3-r1
i:python3 ${name}=3.3-r1
q:100
r:py-idna
F:usr
F:usr/bin
R:idna
a:0:0:755
Z:Q1aaaaaaaaaaaaaaaaaaaaaaaaaaa=
${files}

`
const ofApk = {
  'lib/apk/db/installed':
    apkPackage(
      'of-idna',
      'F:usr/lib/python3/dist-packages/idna-3.3.dist-info\nM:0:0:755\nR:METADATA\nZ:Q1bbbbbbbbbbbbbbbbbbbbbbbbbbb=\nR:RECORD\nZ:Q1ccccccccccccccccccccccccccc=',
    ) +
    apkPackage(
      'of-ip',
      'F:usr/share/nodejs/ip\nR:index.js\nZ:Q1ddddddddddddddddddddddddddd=\nR:package.json\nZ:Q1eeeeeeeeeeeeeeeeeeeeeeeeeee=',
    ),
}
const ofPacman = {
  'var/lib/pacman/local/of-idna-3.3-1/files':
    '%FILES%\nusr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA\n',
  'var/lib/pacman/local/of-ip-1-1/files': '%FILES%\nusr/share/nodejs/ip/package.json\n',
}

test.each([
  ['dpkg', ofDpkg],
  ['apk', ofApk],
  ['pacman', ofPacman],
])('files on a host, and whose they are: %s', (_, manager) => {
  const section = answerOf({ ...files, ...manager }, ['/bin/sh', '-s'])
  expect(of(section).toSorted()).toEqual(found.toSorted())
  expect(librariesIn(section, []).isComplete).toBe(true)
})

needs('rpm', 'rpmbuild')('a database of RPM', () => {
  test('files on a host, and whose they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpm-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
    const owned = {
      'of-idna': '/usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA',
      'of-ip': '/usr/share/nodejs/ip/package.json',
    }
    for (const [name, path] of Object.entries(owned))
      writeFileSync(
        join(folder, `${name}.spec`),
        `Name: ${name}\nVersion: 1\nRelease: 1\nSummary: x\nLicense: x\nBuildArch: noarch\n%description\nx\n` +
          `%install\nmkdir -p %{buildroot}${dirname(path)}\ntouch %{buildroot}${path}\n%files\n${path}\n`,
      )
    const run = (...[program = '', ...args]: string[]) => execFileSync(program, args, { stdio: 'ignore' })
    run(
      'rpmbuild',
      '-bb',
      '--define',
      `_topdir ${folder}`,
      ...Object.keys(owned).map((it) => join(folder, `${it}.spec`)),
    )
    const built = readdirSync(join(folder, 'RPMS/noarch')).map((it) => join(folder, 'RPMS/noarch', it))
    run('rpm', '--dbpath', join(folder, 'db'), '-i', '--nodeps', '--justdb', ...built)
    const before = `rpm() { command rpm --dbpath ${join(folder, 'db')} "$@"; }`
    const section = answerOf(files, ['/bin/sh', '-s'], { before })
    expect(of(section).toSorted()).toEqual(found.toSorted())
    expect(librariesIn(section, []).isComplete).toBe(true)
  })
})

test('a file whose name has a line break says nothing, neither of libraries nor of the search', () => {
  const section = answerOf(
    {
      ...ofDpkg,
      'srv/a\n=owners\n=end\n/srv/made-up-1.0.dist-info/METADATA': '',
      'srv/b\n-f/srv/b/node_modules/x/package.json': '{\n  "version": "1.0.0"\n}',
      'srv/node_modules/kept/package.json': '{\n  "version": "1.0.0"\n}',
    },
    ['/bin/sh', '-s'],
  )
  expect(of(section)).toEqual(['pkg:npm/kept@1.0.0'])
  expect(librariesIn(section, []).isComplete).toBe(true)
})

needs('busybox')('a system that is busybox alone', () => {
  test('files on a host, and whose they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'busybox-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
    execFileSync('busybox', ['--install', '-s', folder])
    expect(of(answerOf({ ...files, ...ofApk }, [`${folder}/sh`, '-s'], { path: folder })).toSorted()).toEqual(
      found.toSorted(),
    )
  })
})

test('where no program reads jars, their number is told, and nothing else is left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-unzip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  for (const name of ['a.jar', 'b.jar', 'x-1.0.dist-info/METADATA']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), '')
  }
  const script = libraryQuestion.command.replace(/for f in [^;]+;/, `for f in ${folder};`)
  const text = execFileSync('/bin/sh', ['-s'], {
    input: `S=Linux; T=; has() { case $1 in unzip|bsdtar) return 1;; esac; command -v "$1" >/dev/null 2>&1; }\n${script}`,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const section = sectionOf(text)
  expect(notesOnLibraries(section)).toEqual([
    'packages-library: 2 jars were not looked into; install unzip or bsdtar on the host',
  ])
  expect(librariesIn(section, [])).toMatchObject({ isComplete: true, items: [{ purl: 'pkg:pypi/x@1.0' }] })
  for (const line of ['=unread-jars', '=unread-jars a', ''])
    expect(notesOnLibraries(sectionOf(line))).toEqual([])
})

needs('unzip', 'zip')('jars', () => {
  test('what Maven wrote into them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jar-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
    const inside = 'META-INF/maven/org.example/lib/pom.properties'
    mkdirSync(join(folder, dirname(inside)), { recursive: true })
    writeFileSync(join(folder, inside), 'version=1.2\ngroupId=org.example\nartifactId=lib\n')
    execFileSync('zip', ['-q', '-r', 'lib.jar', 'META-INF'], { cwd: folder })
    writeFileSync(join(folder, inside), `version=${'9'.repeat(4_000_000)}\n`)
    execFileSync('zip', ['-q', '-r', 'huge.jar', 'META-INF'], { cwd: folder })
    const script = libraryQuestion.command.replace(/for f in [^;]+;/, `for f in ${folder};`)
    const text = execFileSync('/bin/sh', ['-s'], {
      input: `S=Linux; T=; has() { command -v "$1" >/dev/null 2>&1; }\n${script}`,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    expect(of(sectionOf(text))).toContainEqual('pkg:maven/org.example/lib@1.2')
    expect(text.length).toBeLessThan(1_000_000)
  })
})
