import { beforeAll, expect, test } from 'vitest'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Row, Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { controlOf, frameworks } from '../catalogue/catalogue.ts'
import type { Check } from './check.ts'
import { examples, shippedChecks } from './shipped-checks.ts'

const home = sharedTestApp()
const now = new Date('2026-11-22T12:00:00Z')
let vocabulary: Vocabulary
beforeAll(async () => {
  const ctx = await home().newTenant()
  vocabulary = (await ctx.conditions.on(ctx, 'asset')).vocabulary
})
const answer = (text: string, row: Row) =>
  evaluate(parseCondition(text, vocabulary), row, { now, vocabulary })
/** As rounds decide it: what is in order by old data is unknown. */
function verdict({ condition, freshness }: Check, row: Row) {
  const found = answer(condition, row)
  return found && freshness !== '' && answer(freshness, row) !== true ? null : found
}

test.each(shippedChecks)('$id: its examples are in scope, in order, failing and unknown', (check) => {
  const { ok = {}, fail = {}, unknown } = examples.get(check.id) ?? {}
  const rows = unknown ? [ok, fail, unknown] : [ok, fail]
  expect(rows.map((row) => verdict(check, row))).toEqual([true, false, null].slice(0, rows.length))
  expect(rows.map((row) => check.scope === '' || answer(check.scope, row))).toEqual(rows.map(() => true))
})

test('what was never collected passes no check', () => {
  const passing = shippedChecks.filter((check) => verdict(check, {}) === true)
  expect(passing.map(({ id }) => id)).toEqual([])
})

test('each check counts for controls that exist, and every framework has some that can be judged', () => {
  const missing = shippedChecks.flatMap(({ controls }) =>
    Object.entries(controls).flatMap(([slug, ids]) =>
      ids.filter((id) => controlOf(slug, id)?.isHeading !== false).map((id) => `${slug} ${id}`),
    ),
  )
  expect(missing).toEqual([])
  for (const { slug } of frameworks)
    expect(shippedChecks.filter(({ controls }) => controls[slug]).length).toBeGreaterThan(5)
  expect(new Set(shippedChecks.map(({ id }) => id)).size).toBe(shippedChecks.length)
})

test('controls are in a framework once, below one that is there, and have a title', () => {
  for (const { slug, controls } of frameworks) {
    const ids = new Set(controls.map(({ id }) => id))
    expect(ids.size).toBe(controls.length)
    expect(controls.filter(({ parentId }) => parentId !== '' && !ids.has(parentId))).toEqual([])
    expect(controls.filter(({ title }) => title === '').map(({ id }) => `${slug} ${id}`)).toEqual([])
  }
})

const OF_NAMES = [
  'no-remote-admin-tool',
  'no-file-sharing',
  'no-password-dumper',
  'no-network-sniffer',
  'no-abandoned-runtime',
  'no-compiler-on-server',
]
const NAMES: readonly [string, 'dpkg' | 'rpm' | 'windows', string, string | undefined][] = [
  ['Emulex OneCommand Manager', 'windows', '11.4', undefined],
  ['libquicktime2', 'dpkg', '1.2.4', undefined],
  ['libwireshark-data', 'dpkg', '4.0', undefined],
  ['pgAdmin 4', 'windows', '8.1', undefined],
  ['python', 'rpm', '2.7.5', 'no-abandoned-runtime'],
  ['python', 'rpm', '3.6.8', undefined],
  ['QuickTime 7', 'windows', '7.79', 'no-abandoned-runtime'],
  ['eMule', 'windows', '0.60', 'no-file-sharing'],
  ['µTorrent', 'windows', '3.6', 'no-file-sharing'],
  ['Radmin Viewer 3.5', 'windows', '3.5', 'no-remote-admin-tool'],
  ['tcpdump', 'dpkg', '4.99', 'no-network-sniffer'],
]

test.each(NAMES)('%s of %s in version %s is found by %s', (name, origin, version, expected) => {
  const row = { 'software()': [{ name, origin, version, ecosystem: origin === 'windows' ? '' : 'Red Hat' }] }
  const named = shippedChecks.filter(({ id }) => OF_NAMES.includes(id))
  expect(named.filter(({ condition }) => answer(condition, row) === false).map(({ id }) => id)).toEqual(
    expected === undefined ? [] : [expected],
  )
})
