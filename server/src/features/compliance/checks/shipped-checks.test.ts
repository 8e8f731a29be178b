import { beforeAll, expect, test } from 'vitest'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Row, Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { controlOf, frameworks } from '../catalogue/catalogue.ts'
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

test.each(shippedChecks)('$id: its examples are in scope, in order, failing and unknown', (check) => {
  const { ok = {}, fail = {}, unknown } = examples.get(check.id) ?? {}
  const rows = unknown ? [ok, fail, unknown] : [ok, fail]
  expect(rows.map((row) => answer(check.condition, row))).toEqual([true, false, null].slice(0, rows.length))
  expect(rows.map((row) => check.scope === '' || answer(check.scope, row))).toEqual(rows.map(() => true))
})

test('what was never collected passes no check', () => {
  const passing = shippedChecks.filter(({ condition }) => answer(condition, {}) === true)
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
