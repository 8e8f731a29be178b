import { describe, expect, test } from 'vitest'
import { advisoryFromHydra } from './redhat-hydra.ts'

const RHEL_9 = 'cpe:/a:redhat:enterprise_linux:9'
const rulesOf = (parts: object) => advisoryFromHydra({ name: 'CVE-2026-1', ...parts }, 1).rules

describe('a repaired release', () => {
  const ofRelease = (release: object) =>
    rulesOf({ affected_release: [{ cpe: RHEL_9, advisory: 'RHSA-2026:1', ...release }] })

  test('names the package, and the version and advisory that mend it', () => {
    expect(ofRelease({ package: 'python3.9-0:3.9.18-3.el9_4.5' })).toEqual([
      {
        ecosystem: 'Red Hat:9',
        package: 'python3.9',
        names: 'source',
        verdict: 'affected',
        ranges: [{ fixed: '0:3.9.18-3.el9_4.5' }],
        versions: [],
        fixedBy: 'RHSA-2026:1',
      },
    ])
  })

  test.each([
    ['without a package', {}],
    ['of a package without a version', { package: 'python3.9' }],
    ['of an image', { package: 'openshift4/ose-cli-0:4.16-1.el9' }],
    ['of another vendor’s product', { cpe: 'cpe:/a:other:product:9', package: 'a-0:1-1' }],
    ['of a product that it does not name', { cpe: undefined, package: 'a-0:1-1' }],
  ])('%s says nothing of packages', (_, release) => {
    expect(ofRelease(release)).toEqual([])
  })
})

describe('the state of a package', () => {
  const ofState = (state: object) =>
    rulesOf({
      package_state: [{ cpe: RHEL_9, package_name: 'firefox', fix_state: 'Affected', ...state }],
    })

  test.each([
    ['Affected', 'affected'],
    ['Fix deferred', 'affected'],
    ['Will not fix', 'will_not_fix'],
    ['Out of support scope', 'will_not_fix'],
    ['Not affected', 'not_affected'],
    ['Under investigation', 'under_investigation'],
  ])('%s is %s', (fix_state, verdict) => {
    expect(ofState({ fix_state })).toMatchObject([
      { ecosystem: 'Red Hat:9', package: 'firefox', verdict, ranges: [{}] },
    ])
  })

  test('of a module has its stream', () => {
    expect(ofState({ package_name: 'ruby:3.1/ruby' })).toMatchObject([
      { package: 'ruby', module: 'ruby:3.1' },
    ])
  })

  test.each([
    ['in a word that is not known', { fix_state: 'Perhaps' }],
    ['of a flatpak', { package_name: 'firefox:flatpak/firefox' }],
    ['of an image', { package_name: 'openshift4/ose-cli' }],
    ['without a package', { package_name: undefined }],
    ['of another vendor’s product', { cpe: 'cpe:/a:other:product:9' }],
  ])('%s says nothing of packages', (_, state) => {
    expect(ofState(state)).toEqual([])
  })
})
