import { sql } from 'kysely'
import { askedTogether } from '../asked-together.ts'
import type { Actor, Ctx } from '../context.ts'
import type { Query } from '../database/database.ts'
import { countedAddress } from './client-address.ts'
import {
  allowanceOf,
  countingAll,
  endedWindows,
  freshAllowance,
  isOver,
  openLocalRateWindows,
  type Allowance,
  type Counted,
} from './rate-limit.ts'
import type { Refusal } from '../errors.ts'
import type { Route } from './route.ts'
import { sha256 } from '../secrets/random-keys.ts'

/** How API keys are looked up and rate limited. Implemented by the feature that owns the keys. */
export interface Authenticator {
  readonly kind: Actor['kind']
  /** Whether the text has the form of a credential; if not, the database is not asked. */
  readonly isPlausible: (credential: string) => boolean
  /** Finds whoever holds the credential with this SHA-256, at most one row, now. Part of a larger statement. */
  readonly holderOf: (digest: Query<Buffer>) => Query<Holder>
  /** The scope that is missing for a request; undefined when it may pass. `path` is below /api/v1. */
  readonly missingScope: (held: readonly string[], method: string, path: string) => string | undefined
  /** Called when `is_use_due`, to record the time of last use; not awaited. */
  readonly used: (system: Ctx, id: string) => Promise<void>
}

/**
 * A second kind of key, which is sent in a header of its own, works below one path alone, and belongs to one thing of a
 * tenant. Its requests are counted by client address, and beside that by what the key belongs to.
 */
export interface ConfinedKeys {
  readonly kind: Actor['kind']
  /** In lower case. */
  readonly header: string
  /** Below /api/v1. */
  readonly path: string
  readonly isPlausible: (credential: string) => boolean
  /** Finds whoever holds the key with this SHA-256, at most one row, now. Part of a larger statement. */
  readonly holderOf: (digest: Buffer) => Query<ConfinedHolder>
  /** A writing statement over the rows of `holder`, which is the same as above: what else is counted of each request. */
  readonly alsoCount: Query<unknown>
  /** Why the holder may not do this; undefined when it may. */
  readonly refusalOf: (
    holder: ConfinedHolder,
    route: Route,
    params: Readonly<Record<string, string>>,
  ) => Refusal | undefined
  readonly may: (permission: string) => boolean
  readonly used: (system: Ctx, id: string) => Promise<void>
  readonly invalidKey: string
  readonly bothHeaders: string
  /** Before `-limit`, `-remaining` and `-reset`. */
  readonly rateHeaderPrefix: string
}

export interface ConfinedHolder {
  readonly id: string
  readonly tenant_id: string
  /** The part of the key that may be displayed. */
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly is_use_due: boolean
  /** The thing that the key belongs to. */
  readonly owner_id: string
  /** Requests a minute of all keys of the owner. */
  readonly owner_limit: number
}

interface ConfinedCount {
  /** By client address. */
  readonly byAddress: Counted
  /** Null without a holder. */
  readonly byOwner: Counted | null
  readonly holder: ConfinedHolder | null
}

export interface Holder {
  readonly id: string
  readonly tenant_id: string
  /** The part of the key that may be displayed. */
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly is_use_due: boolean
  /** A condition on what the holder sees; null or absent: everything. */
  readonly limited_to?: string | null
}

export interface Admitted {
  readonly allowance: Allowance
  /** Absent: no credential, none that works, or a caller over its limit. */
  readonly holder?: Holder
  /** Of a confined key that works, in place of `holder`. */
  readonly confined?: { readonly holder: ConfinedHolder; readonly allowance: Allowance }
}

/** Counts every request, by its credential if it has one, else by its address, and finds out whose it is. */
export interface Admission {
  readonly admit: (credential: string | undefined, addressOf: () => string) => Promise<Admitted>
  /** The same for a confined key, by its address and its owner: exactly, so that both are asked of the database. */
  readonly admitConfined: (credential: string, address: string) => Promise<Admitted>
  /** For the answer when `admit` throws. */
  readonly unknown: () => Allowance
  /** For what could not be read as a request: counted in this process. */
  readonly countClientError: (address: string) => Allowance
  readonly close: () => void
}

const SWEEP_MS = 60_000

/** How requests are gathered that one statement counts; each statement is a transaction. */
const TOGETHER = { sizeMax: 500, waitMs: 20 }

export interface Authenticators {
  readonly authenticator: Authenticator
  readonly confinedKeys: ConfinedKeys
}

export function openAdmission(
  system: Ctx,
  { authenticator, confinedKeys }: Authenticators,
  limit: number,
): Admission {
  const local = openLocalRateWindows(limit)
  const count = askedTogether(
    (buckets: readonly Buffer[]) => countAndFind(system, authenticator, buckets),
    TOGETHER,
  )
  const shared = async (bucket: Buffer): Promise<Admitted> => {
    const name = bucket.toString('base64')
    const over = local.recallOver(name)
    if (over) return { allowance: over }
    const askedAtMs = performance.now()
    const row = await count(bucket)
    const allowance = allowanceOf(limit, row)
    if (isOver(allowance)) {
      local.remember(name, allowance, askedAtMs)
      return { allowance }
    }
    return row.holder ? { allowance, holder: row.holder } : { allowance }
  }
  const sweep = sweepWindows(system)
  return {
    async admit(credential, addressOf) {
      if (credential === undefined) return shared(sha256(addressBucket(addressOf())))
      if (!authenticator.isPlausible(credential))
        return { allowance: local.count(`credential ${short(credential)}`) }
      const admitted = await shared(sha256(credential))
      noteUse(system, authenticator.used, admitted.holder)
      return admitted
    },
    async admitConfined(credential, address) {
      const bucket = sha256(addressBucket(address))
      if (!confinedKeys.isPlausible(credential)) return shared(bucket)
      const row = await system.db.one(countConfined(confinedKeys, bucket, sha256(credential)))
      const allowance = allowanceOf(limit, row.byAddress)
      const { holder, byOwner } = row
      if (!holder || !byOwner) return { allowance }
      noteUse(system, confinedKeys.used, holder)
      return { allowance, confined: { holder, allowance: allowanceOf(holder.owner_limit, byOwner) } }
    },
    unknown: () => freshAllowance(limit),
    countClientError: (address) => local.count(addressBucket(address)),
    close: () => clearInterval(sweep),
  }
}

function noteUse(system: Ctx, used: Authenticator['used'], holder: Holder | undefined): void {
  if (holder?.is_use_due)
    void used(system, holder.id).catch((error: unknown) => {
      system.log.warn({ err: error }, 'last use not noted')
    })
}

const sweepWindows = (system: Ctx): NodeJS.Timeout =>
  setInterval(() => {
    void system.db.run(endedWindows()).catch((error: unknown) => {
      system.log.warn({ err: error }, 'ended rate windows not removed')
    })
  }, SWEEP_MS).unref()

type Found = Counted & { readonly holder: Holder | null }

/**
 * Rate limits and look-ups of keys in one round trip: the count decides on 429, the holder on 401. A bucket is a credential's
 * digest or that of an address, which nobody holds. Rows are locked in one order by all requests.
 */
async function countAndFind(
  { db }: Ctx,
  { holderOf }: Authenticator,
  buckets: readonly Buffer[],
): Promise<Found[]> {
  const names = buckets.map((it) => it.toString('base64'))
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  const asked = [...times.keys()].map((it) => Buffer.from(it, 'base64'))
  const rows = await db.all(sql<Found & { bucket: Buffer }>`
    with counted as (${countingAll(sql`
      select bucket, times from unnest(${asked}::bytea[], ${[...times.values()]}::int[]) as asked (bucket, times)
      order by bucket`)})
    select counted.*, to_jsonb(holder) as holder
    from counted left join lateral (${holderOf(sql`counted.bucket`)}) as holder on true`)
  const found = new Map(rows.map((it) => [it.bucket.toString('base64'), it]))
  // the last of several of one bucket was told the count of all
  return names.map((name) => {
    const left = (times.get(name) ?? 0) - 1
    times.set(name, left)
    const row = found.get(name)
    if (!row) throw new Error('a request was not counted')
    return { ...row, used: row.used - left }
  })
}

/** One round trip: both counts, what else is counted, and who it is. Rows are locked in one order by all requests. */
const countConfined = (
  keys: ConfinedKeys,
  addressBucket: Buffer,
  digest: Buffer,
): Query<ConfinedCount> => sql`
  with holder as materialized (${keys.holderOf(digest)}),
  buckets as (
    select ${addressBucket}::bytea as bucket, 1 as place
    union all
    select sha256(convert_to(${`${keys.kind} owner `}::text || owner_id, 'UTF8')), 2 from holder
  ),
  counted as (${countingAll(sql`select bucket, 1 from buckets order by place`)}),
  other as (${keys.alsoCount})
  select
    (select to_jsonb(counted) - 'bucket' from counted join buckets using (bucket) where place = 1) as "byAddress",
    (select to_jsonb(counted) - 'bucket' from counted join buckets using (bucket) where place = 2) as "byOwner",
    (select to_jsonb(holder) from holder) as holder`

const addressBucket = (address: string): string => `address ${countedAddress(address)}`

/** Fixed length, whatever is sent. */
const short = (credential: string): string => sha256(credential).toString('base64')
