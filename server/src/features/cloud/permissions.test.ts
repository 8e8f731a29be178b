import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  connectCloud,
  deleteConnection,
  getConnection,
  listConnections,
  listCoverage,
  listResourceDetails,
  listResources,
  syncConnection,
  updateConnection,
} from './cloud.ts'
import { describeProviders, proposeConnection } from './connection-setup.ts'
import { testConnection } from './connection-test.ts'
import { listCostAccounts, listCosts, switchCosts } from './costs/costs.ts'

const home = sharedTestApp()
const PAGE = { limit: 10, offset: 0 }
const id = newUuid(new Date())
const connection = { provider: 'aws', name: 'a', signIn: 'keys', values: {} } as never

/** Each by somebody who may do everything else. */
test.each<[string, string, (ctx: Ctx) => unknown]>([
  ['listConnections', 'cloud:read', listConnections],
  ['getConnection', 'cloud:read', (ctx) => getConnection(ctx, id)],
  ['listCoverage', 'cloud:read', (ctx) => listCoverage(ctx, id, PAGE)],
  ['listResources', 'cloud:read', (ctx) => listResources(ctx, PAGE)],
  ['listResourceDetails', 'cloud:read', (ctx) => listResourceDetails(ctx, PAGE)],
  ['describeProviders', 'cloud:read', describeProviders],
  ['proposeConnection', 'cloud:read', (ctx) => proposeConnection(ctx)],
  ['listCosts', 'cloud:read', (ctx) => listCosts(ctx)],
  ['listCostAccounts', 'cloud:read', (ctx) => listCostAccounts(ctx, id)],
  ['connectCloud', 'cloud:write', (ctx) => connectCloud(ctx, connection)],
  ['testConnection', 'cloud:write', (ctx) => testConnection(ctx, connection)],
  ['updateConnection', 'cloud:write', (ctx) => updateConnection(ctx, id, { name: 'b' })],
  ['deleteConnection', 'cloud:write', (ctx) => deleteConnection(ctx, id)],
  ['syncConnection', 'cloud:write', (ctx) => syncConnection(ctx, id)],
  ['switchCosts', 'cloud:write', (ctx) => switchCosts(ctx, id, true as never)],
])('%s needs %s', async (_, permission, ask) => {
  const ctx = await home().newTenant()
  const limited = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it !== permission } }
  await expect(async () => ask(limited)).rejects.toMatchObject({
    status: 403,
    message: `permission required: ${permission}`,
  })
})
