import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { adoptFramework, evaluateNow, explainControl } from '#features/compliance/compliance.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { driftCorrected } from '#features/compliance/evaluation/due-store.ts'
import { judgeDue } from '#features/compliance/evaluation/judge-due.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { killChild, startChild } from './support/processes/child.ts'
import type { Orders } from './support/processes/compliance-crash-child.ts'
import { testApp } from './support/app/test-app.ts'

const FRAMEWORK = 'nis2-article-21'
const CONTROL = '21.2.b'
/** How many changes of status there are at least before a worker is killed the last time; 1,000 take some minutes. */
const CHANGES = Number(process.env['COMPLIANCE_CHANGES'] ?? 24)
const KILLS = Math.max(3, Math.round(CHANGES / 40))
const WORKER = 'compliance worker'
const TIMEOUT_MS = 300_000 + CHANGES * 1_000

test(
  'two workers, one of them killed again and again: every change of status has one event and one row of history',
  { timeout: TIMEOUT_MS },
  async () => {
    const secretKey = randomBytes(32).toString('hex')
    const { where, newTenant } = await testApp({ secretKey })
    const ctx = await newTenant()
    const [one, two] = [await asset(ctx, 'one'), await asset(ctx, 'two')]
    await adoptFramework(ctx, FRAMEWORK)
    await createCheck(ctx, {
      title: 'Not bad',
      scope: '',
      condition: 'not tag = bad',
      severity: 'low',
      next: '',
      controls: [{ framework: FRAMEWORK, controlId: CONTROL }],
      tolerance: '0',
    })
    await evaluateNow(ctx)
    const orders = { where, secretKey, tenantId: ctx.tenantId }
    const steady = start({ ...orders, assetId: two })
    for (let kills = 1; kills <= KILLS; kills++) {
      const child = start({ ...orders, assetId: one })
      await vi.waitFor(
        async () => expect((await history(ctx)).length).toBeGreaterThanOrEqual((CHANGES / KILLS) * kills),
        { timeout: TIMEOUT_MS, interval: 7 },
      )
      await killChild(child)
    }
    await killChild(steady)
    await vi.waitFor(async () => expect(await sessionsOfWorkers(ctx)).toBe(0), { timeout: TIMEOUT_MS })
    await judgeDue(ctx)
    const rows = await history(ctx)
    expect(rows.length).toBeGreaterThanOrEqual(CHANGES)
    expect(rows.filter(({ from, to }) => from === to)).toEqual([])
    expect(rows.slice(1).map(({ from }) => from)).toEqual(rows.slice(0, -1).map(({ to }) => to))
    // the time of an event is that of the beginning of its transaction, which may have waited for another
    expect((await events(ctx)).toSorted()).toEqual(rows.map(({ from, to }) => `${from} to ${to}`).toSorted())
    const before = await explainControl(ctx, FRAMEWORK, CONTROL)
    expect(before.status).toBe(rows.at(-1)?.to)
    await evaluateNow(ctx)
    const after = await explainControl(ctx, FRAMEWORK, CONTROL)
    expect(after.judgedBy.map(counts)).toEqual(before.judgedBy.map(counts))
    expect(await driftCorrected(ctx)).toBe(0)
    console.info(
      `${rows.length} changes of status, each with one event, over ${KILLS} kills; no count had drifted`,
    )
  },
)

const counts = ({
  id,
  ...it
}: {
  id: string
  inScope: number
  ok: number
  failed: number
  unknown: number
}) => [id, it.inScope, it.ok, it.failed, it.unknown]

const history = (ctx: Ctx) =>
  ctx.db.all(sql<{ from: string; to: string }>`
    select from_status as "from", to_status as "to" from compliance_control_changes
    where tenant_id = ${ctx.tenantId} and framework = ${FRAMEWORK} and control_id = ${CONTROL} order by id`)

async function events(ctx: Ctx) {
  const rows = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'COMPLIANCE_UPDATED' order by created_at, id`)
  return rows
    .map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
    .filter((it) => it['control_id'] === CONTROL)
    .map((it) => `${String(it['previous_status'])} to ${String(it['status'])}`)
}

async function asset(ctx: Ctx, name: string): Promise<string> {
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: name, seenAt: ctx.now(), identifiers: [{ type: 'hostname', value: name }] },
  ])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${name}`)
  return id
}

const start = (orders: Orders): ChildProcess =>
  startChild('compliance-crash-child.ts', orders, { PGAPPNAME: WORKER })

/** What a process had sent when it was killed is still carried out, and its locks are held until then. */
async function sessionsOfWorkers(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db.one(sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${WORKER}`)
  return count
}
