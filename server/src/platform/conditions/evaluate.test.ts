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
import { conditionSql } from './compiling/to-sql.ts'

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

const finding = (more: Row): Row => ({ status: 'open', ...more })
/** What is found on assets, and whether `kev = yes` of none, of any, and of at least, exactly and fewer than two. */
const partlyKnown: readonly [string, readonly Row[] | undefined, readonly Truth[]][] = [
  ['never collected', undefined, [null, null, null, null, null]],
  ['none', [], [true, false, false, false, true]],
  ['known', [finding({ kev: false })], [true, false, false, false, true]],
  ['one unknown', [finding({})], [null, null, false, false, true]],
  [
    'one unknown beside what is not',
    [finding({ kev: false }), finding({})],
    [null, null, false, false, true],
  ],
  ['one unknown beside what is', [finding({ kev: true }), finding({})], [false, true, null, null, null]],
  ['two unknown', [finding({}), finding({})], [null, null, null, null, null]],
  [
    'two, and one unknown',
    [finding({ kev: true }), finding({ kev: true }), finding({})],
    [false, true, true, null, false],
  ],
]
const ofKev = [
  'no finding (kev = yes)',
  'any finding (kev = yes)',
  'count finding (kev = yes) >= 2',
  'count finding (kev = yes) = 2',
  'count finding (kev = yes) < 2',
]

test('elements of which it is unknown make the answer unknown where they decide, in memory and in PostgreSQL', async () => {
  const estate = { now, software, rows: partlyKnown.map(([name, findings]) => ({ name, findings })) }
  const vocabulary = vocabularyWith(software)
  const { db } = (await testApp()).runtime.system
  const expected = ofKev.map((_, at) => partlyKnown.map(([, , answers]) => answers[at]))
  expect(ofKev.map((it) => inMemory(it, estate, vocabulary))).toEqual(expected)
  expect(await inDatabase(db, ofKev, estate, vocabulary)).toEqual(expected)
})

test('of software that has no version, it is unknown whether it is old; what has one can be asked for alone', async () => {
  const estate = {
    now,
    software,
    rows: [
      { name: 'a', software_ids: [1, 3] },
      { name: 'b', software_ids: [1] },
    ],
  }
  const vocabulary = vocabularyWith(software)
  const { db } = (await testApp()).runtime.system
  const written = ['no software (version < 3)', 'no software (has version and version < 3.0.9)']
  const expected = [
    [null, true],
    [null, true],
  ]
  expect(written.map((it) => inMemory(it, estate, vocabulary))).toEqual(expected)
  expect(await inDatabase(db, written, estate, vocabulary)).toEqual(expected)
})

test('where the dictionary knows no version at all, assets without entries are known to have none that is old', async () => {
  const entries = Array.from({ length: 1_200 }, (_, at) => ({ id: at + 1, name: `tool ${at}` }))
  const rows = [
    { name: 'a', software_ids: [1, 7] },
    { name: 'b', software_ids: [] },
  ]
  const estate = { now, software: entries, rows }
  const vocabulary = vocabularyWith(entries)
  const { db } = (await testApp()).runtime.system
  const written = ['no software (version < 3)', 'any software (has name)', 'count software (version < 3) = 0']
  const expected = [
    [null, true],
    [true, false],
    [null, true],
  ]
  expect(written.map((it) => inMemory(it, estate, vocabulary))).toEqual(expected)
  expect(await inDatabase(db, written, estate, vocabulary)).toEqual(expected)
})

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
