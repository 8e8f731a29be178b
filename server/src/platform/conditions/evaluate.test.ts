import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { sharedData } from '#test/support/shared-data.ts'
import type { Db } from '../database/database.ts'
import type { Truth } from './three-valued-logic.ts'
import { relationOf, vocabularyWith } from './conditions.fixture.ts'
import { evaluate } from './evaluate.ts'
import type { Row, Vocabulary } from './field.ts'
import { parseCondition } from './parse.ts'
import { anyCondition, now, row, software } from './random-conditions.fixture.ts'
import { conditionSql } from './to-sql.ts'

interface Estate {
  readonly now: Date
  readonly software: readonly (Row & { id: number })[]
  readonly rows: readonly Row[]
}

const inMemory = (text: string, { now, rows }: Estate, vocabulary: Vocabulary): Truth[] => {
  const condition = parseCondition(text, vocabulary)
  return rows.map((row) => evaluate(condition, row, { now, vocabulary }))
}

/** Many conditions in one statement. */
async function inDatabase(
  db: Db,
  texts: readonly string[],
  { now, rows }: Estate,
  vocabulary: Vocabulary,
): Promise<Truth[][]> {
  const parts = await Promise.all(
    texts.map((text) => conditionSql(parseCondition(text, vocabulary), { now, vocabulary })),
  )
  const found = await db.all(
    sql<{ answers: Truth[] }>`select array[${sql.join(parts)}]::boolean[] as answers
      from ${relationOf(rows)} order by place`,
  )
  return texts.map((_, at) => found.map(({ answers }) => answers[at] ?? null))
}

const CONDITIONS = 600
const ROWS = 400
const STATEMENT = 25

test(`${CONDITIONS} conditions over ${ROWS} rows: PostgreSQL and memory agree, and each answer is given often`, async () => {
  const [rows, conditions] = [
    fc.sample(row, { numRuns: ROWS, seed: 1 }),
    fc.sample(anyCondition, { numRuns: CONDITIONS, seed: 2 }),
  ]
  const estate = { now, software, rows }
  const vocabulary = vocabularyWith(software)
  const { db } = (await testApp()).runtime.system
  const differing: string[] = []
  const counts = new Map<Truth, number>()
  for (let at = 0; at < conditions.length; at += STATEMENT) {
    const some = conditions.slice(at, at + STATEMENT)
    const answers = await inDatabase(db, some, estate, vocabulary)
    for (const [index, written] of some.entries()) {
      const expected = inMemory(written, estate, vocabulary)
      for (const it of expected) counts.set(it, (counts.get(it) ?? 0) + 1)
      if (JSON.stringify(answers[index]) !== JSON.stringify(expected)) differing.push(written)
    }
  }
  expect(differing).toEqual([])
  for (const answer of [true, false, null]) {
    expect((counts.get(answer) ?? 0) / (ROWS * CONDITIONS)).toBeGreaterThan(0.2)
  }
}, 120_000)

sharedData('compliance', 'worked conditions', (folder) => {
  const vectors = JSON.parse(readFileSync(`${folder}/condition-vectors.json`, 'utf8')) as {
    now: string
    software: (Row & { id: number })[]
    assets: Row[]
    cases: { condition: string; expect: Truth[] }[]
  }
  const estate = { now: new Date(vectors.now), software: vectors.software, rows: vectors.assets }
  const vocabulary = vocabularyWith(vectors.software)
  const expected = vectors.cases.map((it) => [it.condition, it.expect] as const)

  test('are answered in memory', () => {
    expect(expected.map(([written]) => [written, inMemory(written, estate, vocabulary)])).toEqual(expected)
  })

  test('are answered by PostgreSQL', async () => {
    const { db } = (await testApp()).runtime.system
    const written = expected.map(([it]) => it)
    const answers = await inDatabase(db, written, estate, vocabulary)
    expect(written.map((it, at) => [it, answers[at]])).toEqual(expected)
  })
})
