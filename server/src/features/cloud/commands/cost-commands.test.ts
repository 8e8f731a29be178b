import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { connectCloud, getConnection } from '../cloud.ts'
import { anyConnection, connectAndRead, work } from '../cloud.fixture.ts'
import { costCommands } from './cost-commands.ts'

const home = sharedTestApp()

const run = (
  ctx: Ctx,
  path: string,
  args: Record<string, string> = {},
  options: CommandInput['options'] = {},
) => {
  const command = costCommands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options })
}

test('costs are switched on, listed with what could not be read first, and switched off', async () => {
  const ctx = await home().newTenant()
  expect((await run(ctx, 'cloud costs')).text).toMatch(/^no costs are known; /)
  const azure = await startAzure(1)
  const { id } = await connectAndRead(ctx, {
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(azure),
    name: 'Directory',
  })
  azure.fault = ({ url }) => {
    if (!url.pathname.endsWith('/Microsoft.CostManagement/query')) return undefined
    const columns = ['Cost', 'ResourceId', 'Currency'].map((name) => ({ name }))
    return url.pathname.includes('000000000001')
      ? { body: { properties: { nextLink: null, columns, rows: [[7, '', 'EUR']] } } }
      : { status: 403, body: { error: { code: 'RBACAccessDenied', message: 'no' } } }
  }
  const on = await run(ctx, 'cloud costs-on', { id })
  expect(on.text).toMatch(/^costs of Directory are read\. Azure does not charge/)
  expect(on.json).toMatchObject({ id, costs: true })
  await work(ctx)
  const all = await run(ctx, 'cloud costs')
  expect(all).not.toHaveProperty('isBad')
  const { months } = all.json as { months: { month: string; isWhole: boolean }[] }
  const lines = all.text.split('\n')
  expect(lines).toHaveLength(months.length)
  const whole = months.findIndex(({ isWhole }) => isWhole)
  expect(lines[whole]).toBe(`${months[whole]?.month}  Azure production  7.00 EUR, 0.00 of resources`)
  const ofOne = await run(ctx, 'cloud costs', {}, { connection: id })
  expect(ofOne.isBad).toBe(true)
  expect(ofOne.text.split('\n')[0]).toMatch(/^failed {2}\S+: .*RBACAccessDenied: no/)
  expect(ofOne.text.split('\n').slice(-lines.length)).toEqual(lines)
  await ctx.db.run(sql`
    update cloud_cost_months set known_until = known_from where tenant_id = ${ctx.tenantId}`)
  expect((await run(ctx, 'cloud costs')).text).toMatch(
    /7\.00 EUR \(\d{4}-\d\d-01 to \d{4}-\d\d-01\), 0\.00 of resources/,
  )
  expect((await run(ctx, 'cloud costs-off', { id })).text).toBe('costs of Directory are read no more')
  expect((await getConnection(ctx, id)).readsCosts).toBe(false)
  await run(ctx, 'cloud costs-on', { id })
  expect((await getConnection(ctx, id)).readsCosts).toBe(true)
})

test('a table is named where costs are in one, and nowhere else', async () => {
  const ctx = await home().newTenant()
  const refused = (id: string, options: CommandInput['options']) =>
    expect(run(ctx, 'cloud costs-on', { id }, options)).rejects.toMatchObject({
      status: 400,
      extras: { field: 'table' },
    })
  const azure = await anyConnection(ctx)
  await refused(azure.id, { table: 'a.b.c' })
  await refused(azure.id, { table: true })
  const { id } = await connectCloud(
    ctx,
    {
      name: 'Google',
      provider: 'GCP',
      signIn: 'workload_identity',
      values: {
        scope: 'projects/project-1',
        poolProvider: 'projects/1/locations/global/workloadIdentityPools/p/providers/r',
        serviceAccount: 'reader@project.iam.gserviceaccount.com',
      },
    },
    { isTested: true },
  )
  await refused(id, {})
  await refused(id, { table: 'no table' })
  const table = 'project-1.billing.gcp_billing_export_resource_v1_X'
  expect((await run(ctx, 'cloud costs-on', { id }, { table })).json).toMatchObject({ costs: true })
  expect(Object.values((await getConnection(ctx, id)).settings)).toContain(table)
  // as it is unless given
  await run(ctx, 'cloud costs-on', { id })
})
