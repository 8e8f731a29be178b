import { sql } from 'kysely'
import type { Actor, Ctx } from '../context.ts'
import type { Query } from '../database/database.ts'
import { countedAddress } from './client-address.ts'
import {
  counting,
  endedWindows,
  freshAllowance,
  isOver,
  openLocalRateWindows,
  type Allowance,
  type Counted,
} from './rate-limit.ts'
import { sha256 } from '../secrets/random-keys.ts'

/** How API keys are looked up and rate limited. Implemented by the feature that owns the keys. */
export interface Authenticator {
  readonly kind: Actor['kind']
  /** Whether the text has the form of a credential; if not, the database is not asked. */
  readonly isPlausible: (credential: string) => boolean
  /** Finds whoever holds the credential with this SHA-256, at most one row, now. Part of a larger statement. */
  readonly holderOf: (digest: Buffer) => Query<Holder>
  /** The scope that is missing for a request; undefined when it may pass. `path` is below /api/v1. */
  readonly missingScope: (held: readonly string[], method: string, path: string) => string | undefined
  /** Called when `is_use_due`, to record the time of last use; not awaited. */
  readonly used: (system: Ctx, id: string) => Promise<void>
}

export interface Holder {
  readonly id: string
  readonly tenant_id: string
  readonly scopes: readonly string[]
  readonly is_use_due: boolean
}

export interface Admitted {
  readonly allowance: Allowance
  /** Absent: no credential, none that works, or a caller over its limit. */
  readonly holder?: Holder
}

/** Counts every request, by its credential if it has one, else by its address, and finds out whose it is. */
export interface Admission {
  readonly admit: (credential: string | undefined, addressOf: () => string) => Promise<Admitted>
  /** For the answer when `admit` throws. */
  readonly unknown: () => Allowance
  /** For what could not be read as a request: counted in this process. */
  readonly countClientError: (address: string) => Allowance
  readonly close: () => void
}

const SWEEP_MS = 60_000

export function openAdmission(system: Ctx, authenticator: Authenticator, limit: number): Admission {
  const local = openLocalRateWindows(limit)
  const shared = async (bucket: Buffer, holder: Query<Holder>): Promise<Admitted> => {
    const name = bucket.toString('base64')
    const over = local.recallOver(name)
    if (over) return { allowance: over }
    const askedAtMs = performance.now()
    const row = await system.db.one(countAndFind(bucket, holder))
    const allowance = { limit, used: row.used, resetsAt: row.resets_at, secondsLeft: row.seconds_left }
    if (isOver(allowance)) {
      local.remember(name, allowance, askedAtMs)
      return { allowance }
    }
    return row.holder ? { allowance, holder: row.holder } : { allowance }
  }
  const noteUse = ({ holder }: Admitted): void => {
    if (holder?.is_use_due)
      void authenticator.used(system, holder.id).catch((error: unknown) => {
        system.log.warn({ err: error }, 'last use not noted')
      })
  }
  const sweep = setInterval(() => {
    void system.db.run(endedWindows()).catch((error: unknown) => {
      system.log.warn({ err: error }, 'ended rate windows not removed')
    })
  }, SWEEP_MS).unref()
  return {
    async admit(credential, addressOf) {
      if (credential === undefined) return shared(sha256(addressBucket(addressOf())), nobody)
      if (!authenticator.isPlausible(credential))
        return { allowance: local.count(`credential ${short(credential)}`) }
      const digest = sha256(credential)
      const admitted = await shared(digest, authenticator.holderOf(digest))
      noteUse(admitted)
      return admitted
    },
    unknown: () => freshAllowance(limit),
    countClientError: (address) => local.count(addressBucket(address)),
    close: () => clearInterval(sweep),
  }
}

const nobody: Query<Holder> = sql`
  select null::uuid as id, null::uuid as tenant_id, null::text[] as scopes, false as is_use_due where false`

/** Rate limit and look-up of the key in one round trip: the count decides on 429, the row on 401. */
const countAndFind = (
  bucket: Buffer,
  holder: Query<Holder>,
): Query<Counted & { holder: Holder | null }> => sql`
  with counted as (${counting(bucket)})
  select counted.*, to_jsonb(holder) as holder from counted left join (${holder}) as holder on true`

const addressBucket = (address: string): string => `address ${countedAddress(address)}`

/** Fixed length, whatever is sent. */
const short = (credential: string): string => sha256(credential).toString('base64')
