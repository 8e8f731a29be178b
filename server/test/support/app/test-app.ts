import { randomBytes } from 'node:crypto'
import { beforeAll, onTestFinished } from 'vitest'
import { features } from '../../../src/app.ts'
import { createKey } from '../../../src/features/api-keys/api-keys.ts'
import { createTenant } from '../../../src/features/tenancy/tenancy.ts'
import {
  openHttpServer,
  type ContextOf,
  type HttpServer,
  type HttpServerConfig,
} from '../../../src/startup/http-server.ts'
import { openRuntime, type Runtime, type RuntimeOptions } from '../../../src/startup/runtime.ts'
import type { Ctx } from '../../../src/platform/context.ts'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { openNet } from '../../../src/platform/egress/net.ts'
import { callerAt, type Caller } from '../http/api-client.ts'
import { freshDatabase, type AtEnd } from '../database/fresh-database.ts'

export interface TestApp {
  readonly runtime: Runtime
  /** The app's own database, as its owner. */
  readonly where: DatabaseAddress
  /** A context of a new tenant, with all permissions. */
  readonly newTenant: () => Promise<Ctx>
  /** The full text of a new API key; all scopes unless given. */
  readonly key: (ctx: Ctx, scopes?: readonly string[]) => Promise<string>
  /** Talks to the REST API over a real connection, with the key or without one. */
  readonly as: (apiKey?: string) => Caller
  /** Starts the HTTP server at the first call; for example `http://127.0.0.1:41234`. */
  readonly address: () => Promise<string>
}

export interface TestAppOptions extends Partial<RuntimeOptions> {
  readonly http?: Partial<HttpServerConfig>
  /** Replaces the session look-up of GraphQL, files and live routes. */
  readonly contextOf?: (runtime: Runtime) => ContextOf
  /** The database of an earlier test app: another node of the same installation. */
  readonly where?: DatabaseAddress
  /** Registers what closes the app; at the end of the test unless given. */
  readonly atEnd?: AtEnd
}

/** Far beyond what a test asks for that is not about it. */
const NO_LIMIT = 1_000_000

/** The whole app on a fresh database of its own, dropped with the test. Options replace what the test wants to fake. */
export async function testApp({
  http,
  contextOf,
  atEnd = onTestFinished,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const where = options.where ?? (await freshDatabase(atEnd))
  // A receiver of a test listens on loopback.
  const net = openNet({ allowPrivate: ['127.0.0.0/8', '[::1]'] })
  const runtime = openRuntime({
    where,
    features,
    secretKey: randomBytes(32).toString('hex'),
    net,
    log: openLog('silent'),
    connections: 4,
    ...options,
  })
  const httpServer = lazyHttpServer(runtime, http, contextOf?.(runtime))
  atEnd(async () => {
    await httpServer.close()
    await runtime.close()
    await net.close()
  })
  return {
    runtime,
    where,
    async newTenant() {
      const tenant = await createTenant(runtime.system, { slug: `t-${randomBytes(6).toString('hex')}` })
      return runtime.contextFor(tenant.id)
    },
    key: async (ctx, scopes = ['admin']) => (await createKey(ctx, { name: 'test', scopes })).secret,
    as: (apiKey) => callerAt(httpServer.address, apiKey),
    address: httpServer.address,
  }
}

/** One app for all tests of a file, for tests that do not read what another one changes. */
export function sharedTestApp(options: TestAppOptions = {}): () => TestApp {
  let shared: TestApp
  beforeAll(async () => {
    const endings: (() => Promise<void>)[] = []
    shared = await testApp({ ...options, atEnd: (close) => void endings.unshift(close) })
    return async () => {
      for (const end of endings) await end()
    }
  })
  return () => shared
}

function lazyHttpServer(
  runtime: Runtime,
  config: Partial<HttpServerConfig> = {},
  contextOf?: ContextOf,
): { address: () => Promise<string>; close: () => Promise<void> } {
  let opening: Promise<HttpServer> | undefined
  const whole = { host: '127.0.0.1', port: 0, rateLimitPerMinute: NO_LIMIT, trustedProxies: [], ...config }
  return {
    address: async () => (await (opening ??= openHttpServer(whole, runtime, contextOf))).address,
    close: async () => (await opening)?.close(),
  }
}
