import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { awsValues, OWN_ACCOUNT, startAws } from '#test/support/cloud-providers/aws-replay.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { googleKeylessValues, startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { work } from '../cloud.fixture.ts'
import { connectCloud, listConnections, listResources } from '../cloud.ts'
import { azureAudience } from './azure/azure-sign-in.ts'

const home = sharedTestApp({ publicUrl: 'https://rollcall.example' })

/** Of each provider: a replay that verifies our tokens, and how a connection without a secret leads there. */
const providers = {
  async AWS() {
    const replay = await startAws(2)
    const { accessKeyId: _, secretAccessKey: __, ...values } = awsValues(replay, { regions: 'eu-west-1' })
    const roleArn = `arn:aws:iam::${OWN_ACCOUNT}:role/rollcall`
    return { replay, input: { provider: 'AWS', signIn: 'web_identity', values: { ...values, roleArn } } }
  },
  async Azure() {
    const replay = await startAzure(2)
    const { clientSecret: _, ...values } = azureValues(replay)
    return { replay, input: { provider: 'Azure', signIn: 'federated', values } }
  },
  async GCP() {
    const replay = await startGoogle(2)
    return {
      replay,
      input: { provider: 'GCP', signIn: 'workload_identity', values: googleKeylessValues(replay) },
    }
  },
}
type Name = keyof typeof providers

async function scene(name: Name) {
  const ctx = await home().newTenant()
  const { replay, input } = await providers[name]()
  const id = randomUUID()
  const trusted = { issuer: 'https://rollcall.example/oidc/cloud', servedAt: await home().address() }
  return {
    ctx,
    replay,
    trusted,
    subject: `tenant:${ctx.tenantId}:connection:${id}`,
    input: { ...input, id, name: 'c' },
  }
}

const names = Object.keys(providers) as Name[]

test.each(names)('%s: signs in by tokens of our issuer and keeps no secret', async (name) => {
  const { ctx, replay, trusted, subject, input } = await scene(name)
  replay.trusted = { ...trusted, subject }
  await connectCloud(ctx, input)
  await work(ctx)
  expect((await listConnections(ctx))[0]?.problem).toBe('')
  const { items } = await listResources(ctx, { limit: 100, offset: 0 }, { type: 'compute' })
  expect(items.length).toBeGreaterThanOrEqual(2)
  const stored = await ctx.db.all(sql`
    select secret_sealed from cloud_connections where tenant_id = ${ctx.tenantId} and secret_sealed is not null`)
  expect(stored).toEqual([])
})

test.each(names)('%s: the token of another connection is refused, and nothing is saved', async (name) => {
  const { ctx, replay, trusted, subject, input } = await scene(name)
  replay.trusted = { ...trusted, subject }
  await expect(connectCloud(ctx, { ...input, id: randomUUID() })).rejects.toMatchObject({ status: 400 })
  const other = await home().newTenant()
  await expect(connectCloud(other, input)).rejects.toMatchObject({ status: 400 })
  expect([...(await listConnections(ctx)), ...(await listConnections(other))]).toEqual([])
})

test.each(['AWS', 'GCP'] as const)('%s: who lets in every subject of the issuer is refused', async (name) => {
  const { ctx, replay, trusted, input } = await scene(name)
  replay.trusted = trusted
  await expect(connectCloud(ctx, input)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/every subject/),
  })
  expect(await listConnections(ctx)).toEqual([])
})

test.each(names)('%s: an issuer that the provider does not trust is told of in its words', async (name) => {
  const { ctx, input } = await scene(name)
  await expect(connectCloud(ctx, input)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/InvalidIdentityToken|AADSTS700213|invalid_grant/),
  })
})

test.each([
  [{}, 'api://AzureADTokenExchange'],
  [{ loginAddress: 'https://login.microsoftonline.us' }, 'api://AzureADTokenExchangeUSGov'],
  [{ loginAddress: 'https://login.partner.microsoftonline.cn' }, 'api://AzureADTokenExchangeChina'],
])('federated credentials of %j expect %s', (values, audience) => {
  expect(azureAudience(values)).toBe(audience)
})
