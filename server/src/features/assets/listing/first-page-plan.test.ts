import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { recordedIn } from '../../../../bench/requests/recorded-statements.ts'
import { seedTenant } from '../../../../bench/seed/seed.ts'
import { listAssets } from '../assets.ts'

const SIZE = 10_000
const LIMIT = 50

const home = sharedTestApp()
let ctx: Ctx

beforeAll(async () => {
  const { runtime, where } = home()
  const superuser = { ...inject('superuser'), database: String(where.database) }
  ctx = runtime.contextFor((await seedTenant(runtime, superuser, SIZE)).id)
}, 180_000)

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

const withAllBelow = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(withAllBelow)]

/** Of the statements of some work, as the application's role runs them under row-level security. */
async function nodesOf(work: (ctx: Ctx) => Promise<unknown>): Promise<Node[]> {
  const statements = await recordedIn(ctx, work)
  const client = new pg.Client(home().where)
  await client.connect()
  try {
    await client.query('set role rollcall_app')
    await client.query(`select set_config('app.tenant', $1, false)`, [ctx.tenantId])
    const nodes: Node[] = []
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      for (const { 'QUERY PLAN': plans } of rows)
        nodes.push(...plans.flatMap(({ Plan }) => withAllBelow(Plan)))
    }
    return nodes
  } finally {
    await client.end()
  }
}

test.each([['all'], ['device'], ['a type that nothing has']])(
  'the first page reads its rows in the order of an index: %s',
  async (type) => {
    const nodes = await nodesOf((it) =>
      listAssets(it, { limit: LIMIT, offset: 0 }, type === 'all' ? {} : { type }),
    )
    const ofAssets = nodes.filter((it) => it['Relation Name'] === 'assets')
    expect(ofAssets.map((it) => it['Node Type'])).toEqual(['Index Scan'])
    expect(nodes.map((it) => it['Node Type'])).not.toContain('Sort')
    const read = ofAssets.map(
      (it) => it['Actual Rows'] * it['Actual Loops'] + (it['Rows Removed by Filter'] ?? 0),
    )
    expect(Math.max(...read)).toBeLessThanOrEqual(LIMIT)
  },
)
