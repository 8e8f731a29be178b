import { expect, test } from 'vitest'
import { rulesIn } from '../reading.fixture.ts'

const criterion = (comment: string): string => `<criterion comment="${comment}"/>`
const criteria = (operator: 'AND' | 'OR', ...inner: readonly string[]): string =>
  `<criteria operator="${operator}">${inner.join('')}</criteria>`

/** Ecosystem, package, verdict and repaired version of each rule. */
async function rulesOf(found: string): Promise<unknown[]> {
  const rules = await rulesIn(
    'suse',
    `<oval_definitions xmlns="http://oval.mitre.org/XMLSchema/oval-definitions-5"><definitions>
<definition class="vulnerability" id="d1"><metadata><title>CVE-2026-1</title></metadata>${found}</definition>
</definitions></oval_definitions>`,
  )
  return rules.map((it) => [it.ecosystem, it.package, it.verdict, it.ranges])
}

const SERVER = criterion('SUSE Linux Enterprise Server 15 SP6 is installed')
const LEAP = criterion('openSUSE Leap 15.6 is installed')
const OF_SERVER = 'SUSE:Linux Enterprise Server 15 SP6'

test('a package that has a repaired version is affected before it', async () => {
  expect(
    await rulesOf(criteria('AND', SERVER, criterion('libxml2-2-2.10.3-150500.5.17.1 is installed'))),
  ).toEqual([[OF_SERVER, 'libxml2-2', 'affected', [{ fixed: '2.10.3-150500.5.17.1' }]]])
})

test.each([
  ['affected', 'affected'],
  ['not affected', 'not_affected'],
])('a package of which is said that it is %s is so in all its versions', async (word, verdict) => {
  expect(await rulesOf(criteria('AND', SERVER, criterion(`python3 is ${word}`)))).toEqual([
    [OF_SERVER, 'python3', verdict, [{}]],
  ])
})

test('what else a criterion says is no rule', async () => {
  expect(await rulesOf(criteria('AND', SERVER, criterion('the machine is large')))).toEqual([])
})

test('packages are of the products of their own criteria, else of those around them', async () => {
  const inner = criteria('OR', criterion('vim is affected'), criterion('vim-data is affected'))
  expect(await rulesOf(criteria('AND', SERVER, inner))).toEqual([
    [OF_SERVER, 'vim', 'affected', [{}]],
    [OF_SERVER, 'vim-data', 'affected', [{}]],
  ])
  const own = criteria('AND', LEAP, criterion('vim is affected'))
  expect(await rulesOf(criteria('OR', SERVER, own))).toEqual([
    ['openSUSE:Leap 15.6', 'vim', 'affected', [{}]],
  ])
})

test('where any of several products will do, the packages are of each', async () => {
  const found = criteria('AND', criteria('OR', SERVER, LEAP), criterion('vim is affected'))
  expect(await rulesOf(found)).toEqual([
    [OF_SERVER, 'vim', 'affected', [{}]],
    ['openSUSE:Leap 15.6', 'vim', 'affected', [{}]],
  ])
})

test('a rule that is said twice is one', async () => {
  const once = criteria('AND', SERVER, criterion('vim is affected'))
  expect(await rulesOf(criteria('OR', once, once))).toHaveLength(1)
})
