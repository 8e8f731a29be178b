import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { InstalledSoftware } from '#features/assets/observation.ts'
import { librariesIn } from './read-libraries.ts'
import type { Section } from './script-output.ts'

const sectionOf = (text: string, code = 0): Section => ({ text, code, isCut: false })

const of = (section: Section, packages: readonly InstalledSoftware[] = []): string[] =>
  librariesIn(section, packages).items.map(({ purl = '', source }) =>
    source ? `${purl} of ${source.name}` : purl,
  )

test.each<[string, string, string[]]>([
  [
    'a wheel',
    '/opt/a/lib/python3.11/site-packages/Jinja2-3.1.2.dist-info/METADATA',
    ['pkg:pypi/jinja2@3.1.2'],
  ],
  ['an egg of a folder', '/opt/a/urllib3-1.24.2-py3.6.egg-info/PKG-INFO', ['pkg:pypi/urllib3@1.24.2']],
  ['an egg of one file', '/usr/lib/python3/dist-packages/six-1.16.0.egg-info', ['pkg:pypi/six@1.16.0']],
  [
    'names with dots and low lines, as PEP 503 spells them',
    '/opt/a/ruamel.yaml_clib-0.2.7.dist-info/METADATA',
    ['pkg:pypi/ruamel-yaml-clib@0.2.7'],
  ],
  ['an egg without a version', '/usr/lib/python3/dist-packages/distro_info.egg-info/PKG-INFO', []],
  ['a local version', '/opt/a/torch-2.1.0+cu118.dist-info/METADATA', ['pkg:pypi/torch@2.1.0%2Bcu118']],
  [
    'a package of npm',
    '/srv/a/node_modules/minimist/package.json:  "version": "1.2.5"',
    ['pkg:npm/minimist@1.2.5'],
  ],
  [
    'one with a scope, indented by a tab',
    '/srv/a/node_modules/@babel/traverse/package.json:\t"version": "7.20.0"',
    ['pkg:npm/%40babel/traverse@7.20.0'],
  ],
  ['a gem', '/var/lib/gems/3.1.0/specifications/rack-2.2.3.gemspec', ['pkg:gem/rack@2.2.3']],
  [
    'a default gem, and one for a platform',
    '/usr/lib/ruby/gems/3.1.0/specifications/default/json-2.6.1.gemspec\n/usr/local/g/specifications/nokogiri-1.13.10-x86_64-linux.gemspec',
    ['pkg:gem/json@2.6.1', 'pkg:gem/nokogiri@1.13.10'],
  ],
  ['a gem whose name ends with a number', '/g/specifications/http-2-1.0.2.gemspec', ['pkg:gem/http-2@1.0.2']],
  [
    'what Composer installed',
    '/var/www/a/vendor/composer/installed.json:            "name": "symfony/http-kernel"\n/var/www/a/vendor/composer/installed.json:            "version": "v5.4.19"',
    ['pkg:composer/symfony/http-kernel@5.4.19'],
  ],
  [
    'jars, their three lines in any order, two in one',
    '/opt/a/x.jar\tversion=2.14.1\n/opt/a/x.jar\tgroupId=org.apache.logging.log4j\n/opt/a/x.jar\tartifactId=log4j-core\n/opt/a/x.jar\tgroupId=g\n/opt/a/x.jar\tartifactId=a\n/opt/a/x.jar\tversion=1',
    ['pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', 'pkg:maven/g/a@1'],
  ],
  [
    'a jar that lacks a line',
    '/opt/a/x.jar\tversion=2\n/opt/a/y.jar\tgroupId=g\n/opt/a/y.jar\tartifactId=a',
    [],
  ],
])('%s', (_, text, found) => {
  expect(of(sectionOf(`${text}\n=walked\n=owners\n=end\n`))).toEqual(found)
})

const METADATA = '/usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA'
const IN_OPT = '/opt/x/lib/python3.9/site-packages/idna-3.3.dist-info/METADATA'
const IN_NODE = '/usr/lib/node_modules/npm/node_modules/ip/package.json'
const rpm = (name: string, vendor: string): InstalledSoftware => ({
  origin: 'rpm',
  name,
  version: '1',
  vendor,
})
const redHat = [
  rpm('glibc', 'Red Hat, Inc.'),
  rpm('nodejs-npm', 'Red Hat, Inc.'),
  rpm('nodejs', 'NodeSource'),
]

test.each<[string, string, string, readonly InstalledSoftware[], string | undefined]>([
  ['dpkg', METADATA, `/var/lib/dpkg/info/python3-idna.list:${METADATA}`, [], 'python3-idna'],
  ['dpkg, with an architecture', METADATA, `/var/lib/dpkg/info/x:amd64.list:${METADATA}`, [], 'x'],
  ['dpkg, before /usr was one', METADATA, `/var/lib/dpkg/info/x.list:${METADATA.slice(4)}`, [], 'x'],
  ['rpm', METADATA, `python3-idna\t${METADATA}`, redHat, 'python3-idna'],
  ['the folder alone', METADATA, `python3-idna\t${dirname(METADATA)}`, redHat, 'python3-idna'],
  ['apk', METADATA, `py3-idna\t${METADATA}`, [], 'py3-idna'],
  ['pacman', METADATA, `/var/lib/pacman/local/python-idna-3.6-2/files\t${METADATA}`, [], 'python-idna'],
  ['nobody', METADATA, `python3-six\t/usr/lib/python3/dist-packages/six.py`, redHat, undefined],
  ['a package that puts things below /opt', IN_OPT, `/var/lib/dpkg/info/x.list:${IN_OPT}`, [], undefined],
  ['npm as Red Hat builds it', IN_NODE, `nodejs-npm\t${IN_NODE}`, redHat, 'nodejs-npm'],
  ['npm as another maker builds it for Red Hat', IN_NODE, `nodejs\t${IN_NODE}`, redHat, undefined],
  [
    'npm as another maker builds it for Debian',
    IN_NODE,
    `/var/lib/dpkg/info/nodejs.list:${IN_NODE}`,
    [],
    undefined,
  ],
])('who installed it: %s', (...[, path, owned, packages, owner]) => {
  const line = path.endsWith('.json') ? `${path}:  "version": "1.1.5"` : path
  const [found] = of(sectionOf(`${line}\n=walked\n=owners\n${owned}\n=end\n`), packages)
  expect(found?.split(' of ')[1]).toBe(owner)
})

test('the same library here from the distribution and there not is listed twice, each with its places', () => {
  const text = `${METADATA}\n${IN_OPT}\n${IN_OPT.replace('/x/', '/y/')}\n=walked\n=owners\npython3-idna\t${METADATA}\n=end\n`
  expect(librariesIn(sectionOf(text), redHat)).toEqual({
    isComplete: true,
    items: [
      expect.objectContaining({ source: { name: 'python3-idna' }, paths: [METADATA] }),
      expect.not.objectContaining({ source: expect.anything() }),
    ],
  })
})

test.each([
  ['what belongs to packages was not told to its end', `${METADATA}\n=walked\n=owners\n`, 0, 0, false],
  ['nothing was told of it', `${METADATA}\n=walked\n`, 0, 0, false],
  ['not all folders were gone through', `${METADATA}\n=owners\n=end\n`, 0, 1, false],
  ['the command failed', `${METADATA}\n=walked\n=owners\n=end\n`, 1, 1, false],
  ['all is well', `${METADATA}\n=walked\n=owners\n=end\n`, 0, 1, true],
  ['there is none', `=walked\n=owners\n=end\n`, 0, 0, true],
])('%s', (...[, text, code, count, isComplete]) => {
  const found = librariesIn(sectionOf(text, code), [])
  expect([found.items.length, found.isComplete]).toEqual([count, isComplete])
})

test('megabytes of one hostile character after another are read in time', () => {
  for (const one of ['x', ' ', '\t', '/', '-1', '/a-1', '.gemspec', '.', '"version": "']) {
    const long = one.repeat(1_000_000 / one.length)
    expect(() => of(sectionOf(`/${long}\n=owners\n${long}\n=end`))).not.toThrow()
    const many = `/${one.repeat(2_000 / one.length)}\n`.repeat(500)
    expect(() => of(sectionOf(`${many}=owners\n${many}=end`))).not.toThrow()
  }
})
