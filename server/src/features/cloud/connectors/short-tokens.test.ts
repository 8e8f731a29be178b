import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { googleValues, startGoogle } from '#test/support/cloud-providers/google-replay.ts'
import { connectAndRead } from '../cloud.fixture.ts'
import { listResources } from '../cloud.ts'

const CALL_MS = 300

const providers = {
  async Azure() {
    const replay = Object.assign(await startAzure(527), { pageSize: 20 })
    return {
      replay,
      input: { provider: 'Azure', signIn: 'client_secret', values: azureValues(replay) },
      isSignIn: (path: string) => path.endsWith('/oauth2/v2.0/token'),
      resources: 538,
    }
  },
  async GCP() {
    const replay = Object.assign(await startGoogle(480), { pageSize: 20 })
    return {
      replay,
      input: { provider: 'GCP', signIn: 'service_account_key', values: googleValues(replay) },
      isSignIn: (path: string) => path === '/token',
      resources: 488,
    }
  },
}

test.each(['Azure', 'GCP'] as const)(
  '%s: tokens that live two seconds are renewed on the way, once each time, and no row is read twice',
  async (name) => {
    const { replay, input, isSignIn, resources } = await providers[name]()
    // each call takes a while by the clock that both sides go by
    let now = Date.now()
    const app = await testApp({ now: () => new Date(now) })
    Object.assign(replay, { tokenSeconds: 2, clock: () => now })
    replay.fault = () => {
      now += CALL_MS
      return undefined
    }
    const ctx = await app.newTenant()
    await connectAndRead(ctx, input)
    const { items, total } = await listResources(ctx, { limit: 1_000, offset: 0 })
    expect([total, new Set(items.map(({ id }) => id)).size]).toEqual([resources, resources])
    const paths = replay.calls.map(({ url }) => url.pathname)
    const signIns = paths.filter(isSignIn).length
    expect(signIns).toBeGreaterThan(5)
    expect(paths.filter((path, index) => isSignIn(path) && isSignIn(paths[index - 1] ?? ''))).toEqual([])
  },
)
