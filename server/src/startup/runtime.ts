import { hostname } from 'node:os'
import type { Actor, Claims, Ctx, Happening, Limits, Reactions } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { settings } from '../config.ts'
import { conditionsOf, sharedSubject, subjectsOf } from './conditions.ts'
import { systemActor } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openDatabase, type Database } from '#platform/database/database.ts'
import type { Feature } from '#platform/feature.ts'
import type { Log } from '#platform/observability/log.ts'
import type { Trace } from '#platform/observability/trace.ts'
import type { Mailer } from '#platform/egress/mailer.ts'
import type { Metadata } from '#platform/egress/metadata.ts'
import type { Net } from '#platform/egress/net.ts'
import { tracedNet } from './traced-net.ts'
import { openSeal } from '#platform/secrets/seal.ts'

export interface RuntimeOptions {
  readonly where: DatabaseAddress
  /** A standby of it that may be read. */
  readonly replica?: DatabaseAddress | undefined
  readonly secretKey: string
  readonly features: readonly Feature[]
  readonly net: Net
  readonly metadata?: Metadata | undefined
  readonly mailer?: Mailer | undefined
  readonly publicUrl?: string | undefined
  readonly cell?: number | undefined
  readonly fontsFolder?: string | undefined
  readonly log: Log
  /** Absent: nothing is traced. */
  readonly trace?: Trace | undefined
  readonly now?: () => Date
  readonly connections?: number
  readonly limits?: Limits
  /** Another runtime of this process, whose database this one uses too; it is closed with that one. */
  readonly base?: Runtime
}

/** The open database and a maker of contexts. The HTTP server, workers and the command line all start from one. */
export interface Runtime {
  readonly features: readonly Feature[]
  readonly database: Database
  readonly log: Log
  /** For one tenant; the product itself acts unless an actor is given. */
  readonly contextFor: (tenantId: string, actor?: Actor) => Ctx
  /** For the engines, which serve every tenant. */
  readonly system: Ctx
  readonly close: () => Promise<void>
}

export function openRuntime(options: RuntimeOptions): Runtime {
  const { log, features, trace } = options
  const net = trace ? tracedNet(options.net, trace) : options.net
  const database = options.base?.database ?? databaseOf(options)
  const self = systemActor(hostname())
  const shared = {
    runtime: options.base?.system.runtime ?? {},
    net,
    ...(options.metadata && { metadata: options.metadata }),
    ...(options.mailer && { mailer: options.mailer }),
    publicUrl: options.publicUrl ?? `http://${settings.host.fallback}:${settings.port.fallback}`,
    ...(options.fontsFolder !== undefined && { fontsFolder: options.fontsFolder }),
    cell: options.cell,
    log,
    ...(trace && { trace }),
    seal: openSeal(options.secretKey),
    sign: (bytes: Buffer) => signerOf(features)(system, bytes),
    issueToken: (claims: Claims) => issuerOf(features)(system, claims),
    now: options.now ?? (() => new Date()),
    reactions: reactionsOf(features),
    emittedEvents: new Set(features.flatMap((it) => it.emits ?? [])),
    limits: options.limits ?? { endpoints: settings.webhooksPerTenant.fallback },
    conditions: conditionsOf(features),
  }
  // engines serve all tenants: the id stands for none
  const system: Ctx = { ...shared, tenantId: NIL_UUID, actor: self, db: database.system }
  // names that are given twice are found at the start
  for (const name of subjectsOf(features, system)) sharedSubject(features, system, name)
  return {
    features,
    database,
    log,
    contextFor(tenantId, actor = self) {
      const { replica } = database
      const ctx = { ...shared, ...(replica && { replica }), tenantId, actor, db: database.tenant(tenantId) }
      return actor.limitedTo === undefined ? ctx : ctx.conditions.limit(ctx, actor.limitedTo)
    },
    system,
    close: () => database.close(),
  }
}

const databaseOf = ({ where, log, connections, replica }: RuntimeOptions): Database =>
  openDatabase(where, {
    ...(connections === undefined ? {} : { connections }),
    ...(replica && { replica: { where: replica, log } }),
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  })

/** Names with a dot, such as `assets.archived`, are notices between features and no events. */
const isEvent = ({ type }: Happening): boolean => !type.includes('.')

function signerOf(features: readonly Feature[]): NonNullable<Feature['sign']> {
  const sign = features.find((it) => it.sign)?.sign
  if (!sign) throw new Error('no feature signs')
  return sign
}

function issuerOf(features: readonly Feature[]): NonNullable<Feature['issueToken']> {
  const issue = features.find((it) => it.issueToken)?.issueToken
  if (!issue) throw new Error('no feature issues tokens')
  return issue
}

/** Registers each feature's subscribers (dependency inversion): the events feature does not import webhooks. */
function reactionsOf(features: readonly Feature[]): Reactions {
  const subscriptions = features.flatMap((feature) => Object.entries(feature.on ?? {}))
  return {
    async to(ctx, happenings) {
      for (const [type, subscriber] of subscriptions) {
        const wanted = happenings.filter((it) => (type === '*' ? isEvent(it) : it.type === type))
        if (wanted.length > 0) await subscriber(ctx, wanted)
      }
    },
    async beside(ctx, happenings) {
      await Promise.all(features.map(async (it) => it.besideEvents?.(ctx, happenings)))
    },
  }
}
