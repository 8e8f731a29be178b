import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { noteStale } from '#features/assets/archive/stale.ts'
import { listAssets, updateAllSites } from '#features/assets/assets.ts'
import { customFieldKinds } from '#features/assets/editing/custom-field.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { setCustomFieldOfAssets } from '#features/assets/editing/custom-values.ts'
import { createGroup } from '#features/assets/groups/groups.ts'
import { createDemoData, loadSampleAdvisories } from '#features/demo/demo.ts'
import { matchCatalogueChanges, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Collection, Field, Row } from '#platform/conditions/field.ts'
import { comparisonsOf, parseCondition } from '#platform/conditions/parse.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import { factsOf } from '#platform/conditions/compiling/facts.ts'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/** Conditions over all fields that features have, of values that occur in the demo estate: SQL against memory. */

const ASSETS = 250
const CONDITIONS = 600
const STATEMENT = 20

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await loadSampleAdvisories(home().runtime.system)
  await createDemoData(ctx, { assets: ASSETS, seed: 1 })
  await updateAllSites(ctx)
  await addTenantFields()
  await matchCatalogueChanges(ctx)
  await ctx.db.run(sql`insert into matching_due (tenant_id, asset_id, marked_at)
    select tenant_id, id, ${ctx.now()} from assets where tenant_id = ${ctx.tenantId}`)
  await processMatchingQueue(ctx)
}, 120_000)

/** Custom fields of every kind, and groups that name each other. */
async function addTenantFields(): Promise<void> {
  const { items } = await listAssets(ctx, { limit: 200, offset: 0 })
  const values = {
    text: ['Rack Å 1', 'rack 2'],
    number: [4711, 0.5],
    boolean: [true, false],
    date: ['2026-03-31'],
  }
  for (const kind of customFieldKinds) {
    const { id: fieldId } = await defineCustomField(ctx, { name: `Of kind ${kind}`, kind })
    for (const [nth, value] of values[kind].entries())
      await setCustomFieldOfAssets(ctx, {
        assetIds: items.filter((_, at) => at % 5 === nth).map(({ id }) => id),
        fieldId,
        value,
      })
  }
  for (const { id } of items.filter((_, at) => at % 7 === 0)) await archiveAsset(ctx, id)
  const later = new Date(ctx.now().getTime() + 10 * 86_400_000)
  await noteStale({ ...ctx, now: () => later })
  await createGroup(ctx, { name: 'Windows', condition: 'os:windows and custom.of_kind_text = "RACK å 1"' })
  await createGroup(ctx, { name: 'Both', condition: 'group = windows or any finding(severity = critical)' })
  await createGroup(ctx, { name: 'Found', condition: 'srv or not has serial' })
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/** What people might write as a value of the field: what occurs, part of it, and what nobody has. */
function writtenValues(field: Field, rows: readonly Row[]): string[] {
  const occurring = [...new Set(rows.flatMap((row) => textsOf(field.read(row))))]
  const some = occurring.filter((_, at) => at % Math.ceil(occurring.length / 12) === 0)
  if (field.named) return field.named.all.map(({ name }) => quoted(name))
  switch (field.type) {
    case 'bool':
      return ['yes', 'no']
    case 'number':
      return [...some.map(Number), 0, 3].map((it) => it.toFixed(6))
    case 'instant':
    case 'date':
      return [
        '-1h',
        '-1d',
        '-7d',
        '-90d',
        '+1d',
        ...some.map((it) => new Date(it).toISOString().slice(0, 10)),
      ]
    case 'ip':
      return ['10.0.0.0/8', '192.168.0.0/16', '::/0', ...some.flatMap((it) => [it, `${it}/20`])]
    case 'version':
      return ['0', '3', '9.9', ...some.map(quoted)]
    case 'text':
      return [
        ...(field.values ?? ['no such thing']),
        ...some,
        ...(field.values ? [] : some.flatMap((it) => [it.toUpperCase(), it.slice(1, 5)])),
      ]
        .filter((it) => it.trim() !== '')
        .map(quoted)
  }
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((it: unknown) =>
    typeof it === 'string' || typeof it === 'number' ? (String(it).trim() === '' ? [] : [String(it)]) : [],
  )

function termOf(field: Field, rows: readonly Row[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(...writtenValues(field, rows))
  const list = fc.array(value, { minLength: 1, maxLength: 3 }).map((it) => it.join(', '))
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...comparisonsOf(field)), value)
        .map((it) => [field.name, ...it].join(' ')),
    },
    { weight: 1, arbitrary: list.map((it) => `${field.name} in (${it})`) },
    { weight: field.named ? 0 : 1, arbitrary: fc.constant(`has ${field.name}`) },
  )
}

function collectionTerm(collection: Collection, rows: readonly Row[]): fc.Arbitrary<string> {
  const elements = rows.flatMap((row) => collection.elements(row) ?? [])
  const inner = fc.oneof(...collection.fields.map((field) => termOf(field, elements)))
  const part = fc.oneof(
    inner,
    fc.tuple(inner, inner).map(([a, b]) => `${a} and not (${b})`),
  )
  const { name } = collection
  return fc.oneof(
    fc.tuple(fc.constantFrom('any', 'no'), part).map(([kind, it]) => `${kind} ${name}(${it})`),
    fc.tuple(part, fc.constantFrom('> 0', '= 0', '>= 2')).map(([it, much]) => `count ${name}(${it}) ${much}`),
  )
}

const joined = (leaf: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    leaf,
    leaf.map((it) => `not (${it})`),
    fc.tuple(leaf, fc.constantFrom('and', 'or'), leaf).map((it) => it.join(' ')),
    fc.tuple(leaf, leaf, leaf).map(([a, b, c]) => `(${a} or ${b}) and not (${c})`),
  )

async function everything(subject: Subject): Promise<{ ids: string[]; rows: Row[] }> {
  const found = await ctx.db.all(
    sql<{ id: string }>`select ${subject.id} as id from ${subject.from} where ${subject.where} order by 1`,
  )
  const ids = found.map(({ id }) => id)
  const rows = await subjectRows(ctx.db, subject, ids)
  return { ids, rows: ids.map((id) => rows.get(id) ?? {}) }
}

/** The ways in which lists, decisions and limits ask: of all or of few, for each answer or for what is true alone. */
const ways = [{}, { isOfFew: true }, { isFilter: true }, { isFilter: true, isOfFew: true }] as const

/** As checks ask: many conditions, each fact read once. */
async function throughFacts(subject: Subject, texts: readonly string[], now: Date): Promise<Truth[][]> {
  const facts = factsOf(subject)
  const { vocabulary } = facts.subject
  const parts: RawBuilder<Truth>[] = []
  for (const it of texts) parts.push(await conditionSql(parseCondition(it, vocabulary), { now, vocabulary }))
  const found = await ctx.db.all(
    sql<{ answers: Truth[] }>`select array[${sql.join(parts)}]::boolean[] as answers
      from ${facts.from(() => sql`true`)} order by ${facts.id}`,
  )
  return texts.map((_, at) => found.map(({ answers }) => answers[at] ?? null))
}

async function inDatabase(
  subject: Subject,
  texts: readonly string[],
  now: Date,
  way: (typeof ways)[number] = {},
): Promise<Truth[][]> {
  const { vocabulary } = subject
  const parts = await Promise.all(
    texts.map((text) => conditionSql(parseCondition(text, vocabulary), { now, vocabulary, ...way })),
  )
  const found = await ctx.db.all(
    sql<{ answers: Truth[] }>`select array[${sql.join(parts)}]::boolean[] as answers
      from ${subject.from} where ${subject.where} order by ${subject.id}`,
  )
  return texts.map((_, at) => found.map(({ answers }) => answers[at] ?? null))
}

describe.each(['asset', 'finding'])('conditions on each %s', (name) => {
  test(`${CONDITIONS} of them are answered alike by PostgreSQL and in memory`, async () => {
    const subject = await ctx.conditions.on(ctx, name)
    const { vocabulary } = subject
    const { rows } = await everything(subject)
    expect(rows.length).toBeGreaterThan(10)
    const now = ctx.now()
    const leaf = fc.oneof(
      { weight: 6, arbitrary: fc.oneof(...vocabulary.fields.map((field) => termOf(field, rows))) },
      { weight: 2, arbitrary: fc.oneof(...vocabulary.collections.map((it) => collectionTerm(it, rows))) },
      { weight: 1, arbitrary: fc.constantFrom('srv', 'windows', '"10.0.0.0/8"', 'cve-2024', '-01') },
    )
    const texts = fc.sample(joined(leaf), { numRuns: CONDITIONS, seed: 7 })
    const differing: string[] = []
    const counts = new Map<Truth, number>()
    for (let at = 0; at < texts.length; at += STATEMENT) {
      const some = texts.slice(at, at + STATEMENT)
      const answers = await inDatabase(subject, some, now)
      // checks are about assets alone
      const byFacts = name === 'asset' ? await throughFacts(subject, some, now) : answers
      const filters: [object, Truth[][]][] = []
      for (const way of ways.slice(1)) filters.push([way, await inDatabase(subject, some, now, way)])
      for (const [index, text] of some.entries()) {
        const condition = parseCondition(text, vocabulary)
        const expected = rows.map((row) => evaluate(condition, row, { now, vocabulary }))
        for (const it of expected) counts.set(it, (counts.get(it) ?? 0) + 1)
        if (JSON.stringify(answers[index]) !== JSON.stringify(expected)) differing.push(text)
        if (JSON.stringify(byFacts[index]) !== JSON.stringify(expected)) differing.push(`facts ${text}`)
        // a filter may answer FALSE for what is unknown
        for (const [way, filtered] of filters)
          if (filtered[index]?.some((it, nth) => (it === true) !== (expected[nth] === true)))
            differing.push(`${JSON.stringify(way)} ${text}`)
      }
    }
    expect(differing).toEqual([])
    for (const answer of [true, false, null]) {
      expect((counts.get(answer) ?? 0) / (rows.length * CONDITIONS)).toBeGreaterThan(0.05)
    }
  }, 120_000)
})
