import { describe, expect, test } from 'vitest'
import type { Installed } from './matcher.ts'
import { before, gradeOf, rules, type RuleSpec } from './rules.fixture.ts'

describe('a registry about its packages', () => {
  test.each<[string, readonly [string, string], RuleSpec, string | undefined]>([
    ['pkg:pypi/Flask_Login@0.4.0', ['PyPI', 'flask-login'], before('0.5.0'), 'exact'],
    ['pkg:npm/%40angular/core@11.0.4', ['npm', '@angular/core'], before('11.0.5'), 'exact'],
    [
      'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      ['Maven', 'org.apache.logging.log4j:log4j-core'],
      before('2.15.0'),
      'exact',
    ],
    [
      'pkg:maven/org.apache.logging.log4j/log4j-core@2.15.0',
      ['Maven', 'org.apache.logging.log4j:log4j-core'],
      before('2.15.0'),
      undefined,
    ],
    ['pkg:golang/golang.org/x/crypto@v0.16.0', ['Go', 'golang.org/x/crypto'], before('0.17.0'), 'exact'],
    ['pkg:gem/rails@7.0.0', ['RubyGems', 'rails'], { versions: ['7.0.0'] }, 'exact'],
    ['pkg:gem/rails@7.0.1', ['RubyGems', 'rails'], { versions: ['7.0.0'] }, undefined],
    ['pkg:npm/left-pad@1.0.0', ['npm', 'left-pad'], {}, 'exact'],
    ['pkg:nuget/Newtonsoft.Json@12.0.3', ['NuGet', 'newtonsoft.json'], before('13.0.1'), 'exact'],
    [
      'pkg:composer/Symfony/Http-Kernel@5.0.0',
      ['Packagist', 'symfony/http-kernel'],
      before('5.0.1'),
      'exact',
    ],
    [
      'pkg:golang/github.com/BurntSushi/toml@v0.3.0',
      ['Go', 'github.com/burntsushi/toml'],
      before('0.3.1'),
      'exact',
    ],
    ['pkg:golang/github.com/x/y/v2@v2.0.1', ['Go', 'github.com/x/y/v2'], before('2.0.2'), 'exact'],
    ['pkg:golang/github.com/x/y/v2@v2.0.1', ['Go', 'github.com/x/y'], {}, undefined],
    ['pkg:golang/github.com/x/y@v2.0.1#v2', ['Go', 'github.com/x/y/v2'], before('2.0.2'), 'exact'],
    ['pkg:golang/github.com/x/y@v1.0.1#cmd/tool', ['Go', 'github.com/x/y'], before('1.0.2'), 'exact'],
    [
      'pkg:githubactions/actions/Download-Artifact@v4.1.2',
      ['GitHub Actions', 'actions/download-artifact'],
      before('4.1.3'),
      'exact',
    ],
    [
      'pkg:github/actions/download-artifact@v4.1.2',
      ['GitHub Actions', 'actions/download-artifact'],
      before('4.1.3'),
      'exact',
    ],
    [
      'pkg:github/actions/download-artifact@v4.1.3',
      ['GitHub Actions', 'actions/download-artifact'],
      before('4.1.3'),
      undefined,
    ],
    [
      'pkg:github/actions/download-artifact@v4',
      ['GitHub Actions', 'actions/download-artifact'],
      before('4.1.3'),
      undefined,
    ],
    [
      'pkg:swift/github.com/apple/swift-nio-http2@1.19.1',
      ['SwiftURL', 'github.com/apple/swift-nio-http2'],
      before('1.19.2'),
      'exact',
    ],
    ['pkg:cran/commonmark@1.7', ['CRAN', 'commonmark'], before('1.8'), 'exact'],
    ['pkg:maven/org.Example/Lib@1.0', ['Maven', 'org.example:lib'], {}, undefined],
    ['pkg:gem/Rack@1.0', ['RubyGems', 'rack'], {}, undefined],
  ])('%s', (purl, [ecosystem, name], told, grade) => {
    const installed: Installed = { origin: 'sbom', ecosystem, name, version: '', purl }
    expect(gradeOf(installed, rules([ecosystem, name, told]))).toBe(grade)
  })

  test.each([
    [
      'PEP 440: a release candidate is before the release',
      'pypi',
      '2.0rc1',
      { ranges: [{ fixed: '2.0' }] },
      true,
    ],
    ['PEP 440: a post release is behind', 'pypi', '2.0.post1', { ranges: [{ fixed: '2.0' }] }, false],
    ['PEP 440: trailing zeros', 'pypi', '2.0.0', { ranges: [{ fixed: '2.0' }] }, false],
    [
      'PEP 440: a local version is its public one',
      'pypi',
      '2.0+cu118',
      { ranges: [{ fixed: '2.0' }] },
      false,
    ],
    ['PEP 440: an epoch', 'pypi', '1!1.0', { ranges: [{ fixed: '2.0' }] }, false],
    ['semver: a pre-release of the fix', 'npm', '2.0.0-beta.2', { ranges: [{ fixed: '2.0.0' }] }, true],
    ['semver: numbers, not letters', 'npm', '1.10.0', { ranges: [{ fixed: '1.9.0' }] }, false],
    ['semver: build metadata says nothing', 'npm', '2.0.0+build', { ranges: [{ fixed: '2.0.0' }] }, false],
    ['maven: a milestone', 'maven', '2.0-M1', { ranges: [{ fixed: '2.0' }] }, true],
    ['maven: Final is the release', 'maven', '2.0.Final', { ranges: [{ fixed: '2.0' }] }, false],
    ['maven: a service pack is behind', 'maven', '2.0-sp1', { ranges: [{ fixed: '2.0' }] }, false],
    ['gems: a letter is a pre-release', 'gem', '2.0.0.rc1', { ranges: [{ fixed: '2.0.0' }] }, true],
    ['gems: four numbers', 'gem', '6.0.3.1', { ranges: [{ fixed: '6.0.3.2' }] }, true],
    ['nuget: a fourth number', 'nuget', '4.5.0.1', { ranges: [{ fixed: '4.5.0' }] }, false],
    ['nuget: a label', 'nuget', '4.5.0-preview1', { ranges: [{ fixed: '4.5.0' }] }, true],
    ['composer: a v before it', 'composer', 'v5.4.19', { ranges: [{ fixed: '5.4.20' }] }, true],
    ['composer: a release candidate', 'composer', '5.4.20-RC1', { ranges: [{ fixed: '5.4.20' }] }, true],
    ['the last affected one', 'npm', '1.2.3', { ranges: [{ lastAffected: '1.2.3' }] }, true],
    ['behind the last affected one', 'npm', '1.2.4', { ranges: [{ lastAffected: '1.2.3' }] }, false],
    [
      'between two branches',
      'npm',
      '1.9.0',
      { ranges: [{ fixed: '1.5.0' }, { introduced: '2.0.0', fixed: '2.1.0' }] },
      false,
    ],
    [
      'listed, though in no range',
      'npm',
      '3.0.0',
      { ranges: [{ fixed: '1.0.0' }], versions: ['3.0.0'] },
      true,
    ],
  ] as const)('%s', (...[, type, version, told, isAffected]) => {
    const ecosystem = {
      pypi: 'PyPI',
      npm: 'npm',
      maven: 'Maven',
      gem: 'RubyGems',
      nuget: 'NuGet',
      composer: 'Packagist',
    }[type]
    const [name, path] = type === 'maven' ? ['g:p', 'g/p'] : type === 'composer' ? ['g/p', 'g/p'] : ['p', 'p']
    const purl = `pkg:${type}/${path}@${encodeURIComponent(version)}`
    const found = rules([ecosystem, name, told as RuleSpec])
    expect(gradeOf({ origin: 'sbom', ecosystem, name, version, purl }, found)).toBe(
      isAffected ? 'exact' : undefined,
    )
  })

  test.each<[string, string, boolean]>([
    ['golang', '(devel)', false],
    ['golang', 'v0.0.0', false],
    ['npm', '0.0.0', false],
    ['npm', ' 0.0.0 ', false],
    ['npm', '0.0.0-DEVELOPMENT', false],
    ['npm', '0.0.0-semantic-release', false],
    ['npm', '4.7.0-development', false],
    ['pypi', '0.0.0+unknown', false],
    ['pypi', '0.0.0', false],
    ['npm', '0.0.1', true],
    ['npm', '0.0.01', true],
    ['npm', '0.0.0.1', true],
    ['npm', '4.7.0-dev.3', true],
    ['pypi', '1.0.0', true],
  ])('issue 18: of %s, %j is a version: %s', (type, version, isVersion) => {
    const ecosystem = { golang: 'Go', npm: 'npm', pypi: 'PyPI' }[type] ?? ''
    const tool: Installed = {
      origin: 'sbom',
      ecosystem,
      name: 'gadgetry',
      version,
      purl: `pkg:${type}/gadgetry`,
    }
    expect(gradeOf(tool, rules([ecosystem, 'gadgetry', before('9')]))).toBe(isVersion ? 'exact' : undefined)
  })

  test.each([
    ['v0.0.0-20210921155106-089bfa567519', '0.0.0-20210921155107-089bfa567519', 'exact'],
    ['v0.0.0-20210921155107-089bfa567519', '0.0.0-20210921155107-089bfa567519', undefined],
    ['v0.0.0-pre.0.20210921155107-089bfa567519+incompatible', '1.0.0', 'exact'],
    ['v0.0.0-00010101000000-000000000000', '1.0.0', undefined],
  ])('a module of Go at %s, fixed in %s', (version, fixed, grade) => {
    const module: Installed = {
      origin: 'sbom',
      ecosystem: 'Go',
      name: 'x/y',
      version,
      purl: 'pkg:golang/x/y',
    }
    expect(gradeOf(module, rules(['Go', 'x/y', before(fixed)]))).toBe(grade)
  })
})
