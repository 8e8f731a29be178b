import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMetadata } from '#platform/egress/metadata.ts'
import { openNet, type Net } from '#platform/egress/net.ts'
import { workloadIdentity, type WorkloadVariables } from '#platform/egress/workload-identity.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { OWN_ACCOUNT, startAws } from '#test/support/cloud-providers/aws-replay.ts'
import { startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { startReplay, type Replay } from '#test/support/cloud-providers/replay.ts'
import { connectAndRead } from '../cloud.fixture.ts'
import { listResources } from '../cloud.ts'

const NOTHING: WorkloadVariables = {
  awsRoleArn: undefined,
  awsWebIdentityTokenFile: undefined,
  awsContainerCredentialsPath: undefined,
  awsContainerCredentialsUrl: undefined,
  awsContainerAuthorizationTokenFile: undefined,
  azureTenantId: undefined,
  azureClientId: undefined,
  azureFederatedTokenFile: undefined,
}

test('EKS: a service account with a role signs in with the token of its file', async () => {
  const cluster = await startCluster()
  const replay = Object.assign(await startAws(2), { trusted: cluster.trusted })
  const read = await readAs(replay, 'AWS', {
    awsRoleArn: `arn:aws:iam::${OWN_ACCOUNT}:role/rollcall`,
    awsWebIdentityTokenFile: fileWith(cluster.token('sts.amazonaws.com')),
  })
  expect(read).toEqual({ problem: '', machines: 2 })
  expect(replay.calls.filter(({ url }) => url.pathname.startsWith('/latest/'))).toEqual([])
})

test('EKS Pod Identity and ECS: credentials are asked of the agent, with the token of its file', async () => {
  const replay = await startAws(2)
  const agent = await startReplay(({ headers }) =>
    headers.authorization === 'pod-token'
      ? {
          body: {
            AccessKeyId: `ASIA${OWN_ACCOUNT}`,
            SecretAccessKey: 's',
            Token: 't',
            Expiration: new Date(Date.now() + 3_600_000).toISOString(),
          },
        }
      : { status: 401, body: '' },
  )
  const variables = { awsContainerCredentialsUrl: `${agent.address}/v1/credentials` }
  expect(
    await readAs(replay, 'AWS', { ...variables, awsContainerAuthorizationTokenFile: fileWith('pod-token') }),
  ).toEqual({ problem: '', machines: 2 })
  expect((await readAs(replay, 'AWS', variables)).problem).toContain('agent of the container answered 401')
})

test('AKS: a service account with an identity signs in with the token of its file', async () => {
  const cluster = await startCluster()
  const replay = Object.assign(await startAzure(2), { trusted: cluster.trusted })
  replay.subscriptions.splice(2)
  const read = await readAs(replay, 'Azure', {
    azureTenantId: '31c75423-32d6-4322-88b7-c478bdde4858',
    azureClientId: '11111111-2222-4333-8444-555555555555',
    azureFederatedTokenFile: fileWith(cluster.token('api://AzureADTokenExchange')),
  })
  expect(read).toEqual({ problem: '', machines: 2 + 1 })
  expect(replay.calls.filter(({ url }) => url.pathname.startsWith('/metadata/'))).toEqual([])
})

test('a token that cannot be read, or that the role does not trust, is told of', async () => {
  const replay = await startAws(2)
  const awsRoleArn = `arn:aws:iam::${OWN_ACCOUNT}:role/rollcall`
  for (const [file, why] of [
    ['/nowhere/token', /token of the container cannot be read \(ENOENT\)$/],
    [fileWith(''), /file of the token of the container is empty/],
    [fileWith((await startCluster()).token('sts.amazonaws.com')), /InvalidIdentityToken/],
  ] as const)
    expect((await readAs(replay, 'AWS', { awsRoleArn, awsWebIdentityTokenFile: file })).problem).toMatch(why)
})

/** What a connection reads that signs in as this host, in a container whose platform has set these variables. */
async function readAs(replay: Replay, provider: 'AWS' | 'Azure', variables: Partial<WorkloadVariables>) {
  const real = openNet({ allowPrivate: ['127.0.0.0/8'] })
  onTestFinished(() => real.close())
  // the public addresses of the provider lead to the replay
  const net: Net = {
    ...real,
    fetch: (url, request) => real.fetch(new URL(url.pathname + url.search, replay.address), request),
  }
  const metadata = openMetadata(workloadIdentity({ ...NOTHING, ...variables }), replay.address)
  const ctx = await (await testApp({ metadata, net })).newTenant()
  const { problem } = await connectAndRead(
    ctx,
    provider === 'AWS'
      ? { provider, signIn: 'instance_profile', values: { regions: 'eu-west-1' } }
      : { provider, signIn: 'managed_identity', values: {} },
  )
  return { problem, machines: (await listResources(ctx, { limit: 1, offset: 0 }, { type: 'compute' })).total }
}

/** The issuer of a cluster, as its cloud knows it, and tokens of its service account. */
async function startCluster() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const issuer = 'https://oidc.example.test/id/CLUSTER'
  const served = await startReplay(({ url }) => ({
    body: url.pathname.endsWith('/keys')
      ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }] }
      : { issuer, jwks_uri: `${issuer}/keys` },
  }))
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    trusted: { issuer, servedAt: served.address },
    token(audience: string): string {
      const now = Math.floor(Date.now() / 1_000)
      const claims = { iss: issuer, aud: audience, sub: 'system:serviceaccount:inventory:rollcall' }
      const signed = `${encoded({ alg: 'RS256', kid: 'k1' })}.${encoded({ ...claims, nbf: now - 5, exp: now + 500 })}`
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'token-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'token')
  writeFileSync(path, content)
  return path
}
