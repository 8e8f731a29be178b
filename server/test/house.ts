import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { beforeAll, inject, onTestFinished } from 'vitest'
import { features } from '../src/app.ts'
import { createKey } from '../src/features/api-keys/api-keys.ts'
import { createTenant } from '../src/features/tenancy/tenancy.ts'
import {
  openFrontDoor,
  type ContextOf,
  type FrontDoor,
  type FrontDoorConfig,
} from '../src/startup/http-server.ts'
import { openHousehold, type Household, type HouseholdOptions } from '../src/startup/runtime.ts'
import type { Ctx } from '../src/platform/context.ts'
import type { Whereabouts } from '../src/platform/database/address.ts'
import { openLog } from '../src/platform/observability/log.ts'
import { openNet } from '../src/platform/egress/net.ts'
import { callerAt, type Caller } from './caller.ts'
import { TEMPLATE } from './cluster.ts'

export interface TestHouse {
  readonly household: Household
  /** The house's own database, as its owner. */
  readonly where: Whereabouts
  /** A context of a new tenant, with all permissions. */
  readonly newTenant: () => Promise<Ctx>
  /** The full text of a new API key; all scopes unless given. */
  readonly key: (ctx: Ctx, scopes?: readonly string[]) => Promise<string>
  /** Talks to the REST API over a real connection, with the key or without one. */
  readonly as: (apiKey?: string) => Caller
  /** Opens the HTTP door at the first call; for example `http://127.0.0.1:41234`. */
  readonly address: () => Promise<string>
}

export interface HouseOptions extends Partial<HouseholdOptions> {
  readonly door?: Partial<FrontDoorConfig>
  /** Who asks at the doors for people. */
  readonly contextOf?: (house: Household) => ContextOf
  /** An earlier house's database: another node of the same installation. */
  readonly where?: Whereabouts
  /** When what was opened is closed: with the test, unless given. */
  readonly atEnd?: AtEnd
}

type AtEnd = (close: () => Promise<void>) => void

/** Far beyond what a test asks for that is not about it. */
const NO_LIMIT = 1_000_000

/** A house on a fresh database of its own, gone with the test. Options replace what the test wants to fake. */
export async function house({
  door,
  contextOf,
  atEnd = onTestFinished,
  ...options
}: HouseOptions = {}): Promise<TestHouse> {
  const where = options.where ?? (await freshDatabase(atEnd))
  // A receiver of a test listens on loopback.
  const net = openNet({ allowPrivate: ['127.0.0.0/8', '[::1]'] })
  const household = openHousehold({
    where,
    features,
    secretKey: randomBytes(32).toString('hex'),
    net,
    log: openLog('silent'),
    connections: 4,
    ...options,
  })
  const frontDoor = lazyDoor(household, door, contextOf?.(household))
  atEnd(async () => {
    await frontDoor.close()
    await household.close()
    await net.close()
  })
  return {
    household,
    where,
    async newTenant() {
      const tenant = await createTenant(household.system, { slug: `t-${randomBytes(6).toString('hex')}` })
      return household.contextFor(tenant.id)
    },
    key: async (ctx, scopes = ['admin']) => (await createKey(ctx, { name: 'test', scopes })).secret,
    as: (apiKey) => callerAt(frontDoor.address, apiKey),
    address: frontDoor.address,
  }
}

/** One house for all tests of a file, for tests that change nothing which another looks at. */
export function sharedHouse(options: HouseOptions = {}): () => TestHouse {
  let shared: TestHouse
  beforeAll(async () => {
    const endings: (() => Promise<void>)[] = []
    shared = await house({ ...options, atEnd: (close) => void endings.unshift(close) })
    return async () => {
      for (const end of endings) await end()
    }
  })
  return () => shared
}

function lazyDoor(
  household: Household,
  config: Partial<FrontDoorConfig> = {},
  contextOf?: ContextOf,
): { address: () => Promise<string>; close: () => Promise<void> } {
  let opening: Promise<FrontDoor> | undefined
  const whole = { host: '127.0.0.1', port: 0, rateLimitPerMinute: NO_LIMIT, trustedProxies: [], ...config }
  return {
    address: async () => (await (opening ??= openFrontDoor(whole, household, contextOf))).address,
    close: async () => (await opening)?.close(),
  }
}

/** A copy of the migrated template, dropped at the end. */
export async function freshDatabase(atEnd: AtEnd = onTestFinished): Promise<Whereabouts> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create database ${name} template ${TEMPLATE} owner ${inject('owner').user}`)
  atEnd(() => asSuperuser(`drop database if exists ${name} with (force)`))
  return { ...inject('owner'), database: name }
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
