import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listFeeds } from '#features/advisories/advisories.ts'
import { assessment } from '#features/vulnerabilities/findings/assessment.ts'
import { getTenantBySlug, getDemo } from '#features/tenancy/tenancy.ts'
import { every as everyOfTenancy } from '#features/tenancy/jobs.ts'
import { browserOf, newPerson } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { every, jobs } from './own-demo.ts'

const shared = sharedTestApp()

test('a demo is filled by its job, however often it runs, and closed it leaves no row in any table', async () => {
  const { runtime } = shared()
  const own = await shared().newTenant()
  const browser = await browserOf(shared(), await newPerson(shared(), own))
  const { slug } = (await browser.send<{ slug: string }>('POST', '/session/demo')).body
  const { id } = await getTenantBySlug(runtime.system, slug)
  const ctx = runtime.contextFor(id)
  const waiting = await runtime.system.db.all(
    sql<{ name: string }>`select name from jobs where tenant_id = ${id}`,
  )
  expect(waiting).toEqual([{ name: 'demo.fill' }])
  expect(await getDemo(ctx)).toEqual({ filledAt: null })
  const [fill] = jobs
  const run = () => fill?.run(ctx, {}, new AbortController().signal)
  await run()
  const { filledAt } = (await getDemo(ctx)) ?? {}
  expect(filledAt).toEqual(expect.any(String))
  await run()
  expect(await getDemo(ctx)).toEqual({ filledAt })
  expect(await getDemo(own)).toBeUndefined()
  expect(await rowsOf(id)).toMatchObject({ assets: 500 })

  expect(await assessment(ctx)).toMatchObject({ hasAdvisories: true })
  expect(await assessment(own), 'samples are for demos').toMatchObject({ hasAdvisories: false })

  await browser.send('DELETE', '/session/demo')
  for (const periodic of [...every, ...everyOfTenancy]) await periodic.run(runtime.system)
  expect((await listFeeds(runtime.system)).filter(({ records }) => records > 0)).toEqual([])
  expect(await rowsOf(id)).toEqual({})
})

/** By table, of those that have any. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const { db } = shared().runtime.system
  const tables = await db.all(sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_name)
    where column_name = 'tenant_id' and table_type = 'BASE TABLE' and tables.table_schema = 'public'`)
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const { n } = await db.one(
      sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} where tenant_id = ${tenantId}`,
    )
    if (n > 0) rows[name] = n
  }
  return rows
}
