import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { InstalledSoftware, SoftwareOrigin } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import { packageQuestions } from './package-commands.ts'
import { packagesIn } from './read-packages.ts'

const read = (origin: SoftwareOrigin, text: string, code = 0) =>
  packagesIn(new Map([[`packages-${origin}`, { text, code, isCut: false }]]))

/** Managers that cannot run here: their answers as their manuals and the systems' own documentation print them. */
test.each<[SoftwareOrigin, string, Omit<InstalledSoftware, 'origin'>[]]>([
  [
    'dpkg',
    'ii \tlibssl3\t3.0.15-1~deb12u1\tamd64\topenssl\t3.0.15-1~deb12u1\nrc \told\t1\tall\told\t1\nhi \theld\t1:2-3+b1\tamd64\theld\t1:2-3\n',
    [
      { name: 'libssl3', version: '3.0.15-1~deb12u1', arch: 'amd64', source: { name: 'openssl' } },
      { name: 'held', version: '1:2-3+b1', arch: 'amd64', source: { name: 'held', version: '1:2-3' } },
    ],
  ],
  [
    'rpm',
    'openssl-libs\t1\t1.1.1k-12.el8_9\tx86_64\topenssl-1.1.1k-12.el8_9.src.rpm\t1700000000\tRocky\ngpg-pubkey\t(none)\t6d745a60-60287f36\t(none)\t(none)\t1700000000\t(none)\nkernel\t(none)\t4.18.0-513.el8\tx86_64\tkernel-4.18.0-513.el8.src.rpm\t0\t(none)',
    [
      {
        name: 'openssl-libs',
        version: '1:1.1.1k-12.el8_9',
        arch: 'x86_64',
        source: { name: 'openssl' },
        installedAt: new Date(1_700_000_000_000),
        vendor: 'Rocky',
      },
      { name: 'kernel', version: '0:4.18.0-513.el8', arch: 'x86_64', source: { name: 'kernel' } },
    ],
  ],
  [
    'apk',
    'P:musl\nV:1.2.4_git20230717-r4\nA:x86_64\no:musl\nt:1701000000\n\nP:ssl_client\nV:1.36.1-r15\nA:x86_64\no:busybox\nt:1701000000\n\n',
    [
      {
        name: 'musl',
        version: '1.2.4_git20230717-r4',
        arch: 'x86_64',
        source: { name: 'musl' },
        installedAt: new Date(1_701_000_000_000),
      },
      {
        name: 'ssl_client',
        version: '1.36.1-r15',
        arch: 'x86_64',
        source: { name: 'busybox' },
        installedAt: new Date(1_701_000_000_000),
      },
    ],
  ],
  [
    'brew',
    '/opt/homebrew/Cellar/openssl@3/3.2.1\n/opt/homebrew/Cellar/git/2.44.0_1\n/opt/homebrew/Caskroom/firefox/124.0.1\n/opt/homebrew/Caskroom/firefox/.metadata\n',
    [
      { name: 'openssl@3', version: '3.2.1' },
      { name: 'git', version: '2.44.0_1' },
      { name: 'firefox', version: '124.0.1' },
    ],
  ],
  [
    'snap',
    'Name    Version    Rev    Tracking       Publisher   Notes\ncore22  20240111   1122   latest/stable  canonical*  base\nlxd     5.0.3-ffb  27037  5.0/stable     canonical*  -\n',
    [
      { name: 'core22', version: '20240111', vendor: 'canonical' },
      { name: 'lxd', version: '5.0.3-ffb', vendor: 'canonical' },
    ],
  ],
  [
    'flatpak',
    'org.gimp.GIMP\t2.10.36\tx86_64\tsystem\tflathub\norg.gnome.Platform\t\tx86_64\tsystem\tflathub\n',
    [
      { name: 'org.gimp.GIMP', version: '2.10.36', arch: 'x86_64' },
      { name: 'org.gnome.Platform', version: '', arch: 'x86_64' },
    ],
  ],
  [
    'pkg',
    'curl\t8.6.0\tFreeBSD:14:amd64\tftp/curl\t1709000000\n',
    [
      {
        name: 'curl',
        version: '8.6.0',
        arch: 'FreeBSD:14:amd64',
        source: { name: 'ftp/curl' },
        installedAt: new Date(1_709_000_000_000),
      },
    ],
  ],
  [
    'pkg',
    'quirks-6.160         exceptions to pkg_add rules\np5-IO-Socket-SSL-2.083p0 perl interface\n',
    [
      { name: 'quirks', version: '6.160' },
      { name: 'p5-IO-Socket-SSL', version: '2.083p0' },
    ],
  ],
  [
    'macos',
    '/Applications/Firefox.app\t124.0.1\torg.mozilla.firefox\n/Applications/Odd.app\t\t\n',
    [
      { name: 'Firefox', version: '124.0.1' },
      { name: 'Odd', version: '' },
    ],
  ],
])('%s', (origin, text, items) => {
  expect(read(origin, text)).toEqual({ complete: [origin], items: items.map((it) => ({ origin, ...it })) })
  expect(read(origin, text, 1).complete).toEqual([])
})

needs('pacman')('pacman', () => {
  test('its own database, as pacman itself lists it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pacman-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    const root = join(folder, 'root')
    const database = join(root, 'var/lib/pacman')
    await mkdir(database, { recursive: true })
    const packages = [
      ['openssl', '3.2.1-1', 'openssl'],
      ['gcc-libs', '1:13.2.1-5', 'gcc'],
    ]
    for (const [name = '', version = '', base = ''] of packages) {
      const info = `pkgname = ${name}\npkgbase = ${base}\npkgver = ${version}\npkgdesc = x\narch = any\nsize = 0\nbuilddate = 1700000000\n`
      await writeFile(join(folder, '.PKGINFO'), info)
      await chmod(join(folder, '.PKGINFO'), 0o644)
      execFileSync('tar', ['-czf', `${name}.pkg.tar.gz`, '.PKGINFO'], { cwd: folder })
    }
    const config = join(folder, 'pacman.conf')
    await writeFile(config, '[options]\nArchitecture = auto\nSigLevel = Never\nLocalFileSigLevel = Never\n')
    const paths = ['--config', config, '--root', root, '--dbpath', database, '--cachedir', folder]
    const files = packages.map(([name]) => join(folder, `${name}.pkg.tar.gz`))
    execFileSync('pacman', ['-U', '--noconfirm', '--dbonly', ...paths, ...files], { stdio: 'ignore' })
    const listed = execFileSync('pacman', ['-Q', ...paths], { encoding: 'utf8' })
      .trim()
      .split('\n')

    const question = packageQuestions.find(({ name }) => name === 'packages-pacman')?.command ?? ''
    const script = `T=\n${question.replaceAll('/var/lib/pacman', database)}`
    const { items, complete } = read('pacman', execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }))
    expect(items.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(listed.toSorted())
    expect(items).toContainEqual({
      origin: 'pacman',
      name: 'gcc-libs',
      version: '1:13.2.1-5',
      arch: 'any',
      source: { name: 'gcc' },
      installedAt: expect.any(Date),
    })
    expect(complete).toEqual(['pacman'])
  })
})

const origins: readonly SoftwareOrigin[] = [
  'dpkg',
  'rpm',
  'apk',
  'pacman',
  'brew',
  'snap',
  'flatpak',
  'pkg',
  'macos',
]
const snippet = fc.constantFrom(
  '\t',
  '\n',
  '%NAME%\n',
  '%VERSION%\n',
  'P:',
  'V:',
  'ii \t',
  '/',
  '-1',
  '(none)',
  '.app',
  '\u001b[',
  ' ',
)

test('any listing is read without harm', () => {
  const text = fc.array(fc.oneof(snippet, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...origins), text, (origin, listing) => {
      for (const { name, version } of read(origin, listing).items) {
        expect(name).not.toBe('')
        expect(`${name}${version}`).not.toMatch(/\p{Cc}/u)
        expect(name.length).toBeLessThanOrEqual(512)
      }
    }),
  )
})

test.each(origins)('megabytes of one hostile character after another are read in time: %s', (origin) => {
  for (const one of ['x', ' ', '\t', '\n', '-', '%', '/', '-1', '\u001b[', '.src.rpm', 'a-']) {
    expect(() => read(origin, one.repeat(1_000_000 / one.length))).not.toThrow()
    expect(() => read(origin, `a\tb\t${one.repeat(1_000_000 / one.length)}\tc\td-1-1.src.rpm`)).not.toThrow()
  }
})
