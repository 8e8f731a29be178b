import { randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import type { TestApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { createCollector } from './collectors.ts'
import { collectorIdentity } from './process/collector-identity.ts'
import { ServerConnection } from './process/server-connection.ts'

const never = new AbortController().signal

/** A process elsewhere with a key of its own, that has not enrolled yet. */
export async function newConnection(app: TestApp) {
  const identity = await collectorIdentity(temporaryFolder())
  const { net } = app.runtime.system
  const connection = new ServerConnection(await app.address(), identity, net)
  const { kty, crv, x } = identity.exchangeKey
  const keys = { public_key: identity.publicKey.toString('base64'), exchange_key: { kty, crv, x } }
  return {
    enrol: (secret: string, changes: object = {}) =>
      connection.call('enrol', { secret, version: '1', ...keys, ...changes }, never),
    poll: (process: string, running: readonly string[] = [], changes: object = {}) =>
      connection.call('poll', { process, version: '1', running, received: [], ...changes }, never),
    messages: (body: object) => connection.call('messages', { ...body }, never),
  }
}

/** A collector of the tenant that has enrolled. */
export async function enrolled(app: TestApp, ctx: Ctx, name = 'Oslo') {
  const { collector, secret } = await createCollector(ctx, { name })
  const connection = await newConnection(app)
  await connection.enrol(secret)
  return { ...connection, collectorId: collector.id, secret, process: randomUUID() }
}

export const refused = (status: number, code: string) => ({ name: 'ServerRefusal', status, code })
