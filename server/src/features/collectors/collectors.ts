/** Collectors: processes elsewhere that carry out scans where the server does not reach, and the work they are given. */
import type { JWK } from 'jose'
import { scopeOfCollector } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { credentialsOpenedOnlyBy } from '#features/credentials/credentials.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound, Refusal } from '#platform/errors.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { SILENCE_MS_MAX, type Collector, type IssuedCollector } from './collector.ts'
import * as keys from './collector-key-store.ts'
import * as store from './collector-store.ts'

export {
  assign,
  CollectorRestarted,
  equally,
  type Assignment,
  type Capable,
} from './assignments/assignment.ts'

const NAME_LENGTH_MAX = 100
const SECRET_PREFIX = 'rcc_'
export const ENROLMENT_HOURS = 24
/** The form of a secret: `rcc_` and 64 hexadecimal digits. */
export const SECRET_FORM = new RegExp(`^${SECRET_PREFIX}[0-9a-f]{64}$`)
const HOUR_MS = 3_600_000

/**
 * The secret is answered this once; the collector enrols with it, once, within a day. Whoever holds it is shown the secrets
 * of credentials that are bound to what it scans, so it needs the permission to write those too.
 */
export async function createCollector(ctx: Ctx, input: { readonly name: string }): Promise<IssuedCollector> {
  permit(ctx, 'scans:write')
  permit(ctx, 'credentials:write')
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const secret = SECRET_PREFIX + newSecret()
  return atomically(ctx, async (inner) => {
    const createdAt = inner.now()
    const id = newUuid(createdAt)
    if (!(await store.add(inner, { id, name, scope: scopeOfCollector(id), createdAt })))
      throw conflict(`name: there is a collector called ${name} already`)
    await keys.addEnrolment(inner, {
      collectorId: id,
      enrolmentHash: sha256(secret),
      endsAt: new Date(createdAt.getTime() + ENROLMENT_HOURS * HOUR_MS),
    })
    await record(inner, 'collector.created', { type: 'collector', id }, { name })
    return { collector: await collectorOf(inner, id), secret }
  })
}

export interface Enrolment {
  readonly collectorId: string
  readonly keyId: Buffer
  readonly publicKey: Buffer
  readonly exchangeKey: JWK
  readonly counter: number
}

/** 403 when the secret was used in the same moment. */
export async function enrolCollector(ctx: Ctx, enrolment: Enrolment): Promise<void> {
  await atomically(ctx, async (inner) => {
    if (!(await keys.enrol(inner, enrolment))) throw forbidden('secret: was used already')
    await store.noteEnrolled(inner, enrolment.collectorId)
    const { id, name } = await collectorOf(inner, enrolment.collectorId)
    await record(inner, 'collector.enrolled', { type: 'collector', id }, { name })
  })
}

/** After two processes were seen with one identity, none takes the place of one that is heard of, for so long. */
const SHARED_MS = 60 * 60_000

/**
 * A process of the collector asks for work. Throws 409 `superseded` when it is not the one that may have it: of two that
 * run with one identity, because the data folder was copied, one is given work.
 */
export async function noteCollector(ctx: Ctx, id: string, poll: store.CollectorPoll): Promise<void> {
  if (await store.takePlace(ctx, id, poll, { silenceMs: SILENCE_MS_MAX, sharedMs: SHARED_MS })) return
  await atomically(ctx, async (inner) => {
    const { name } = await collectorOf(inner, id)
    if (await store.noteShared(inner, id, SHARED_MS))
      await record(
        inner,
        'collector.identity_shared',
        { type: 'collector', id },
        { name, address: poll.address },
      )
  })
  throw new Refusal(409, 'superseded', 'another process has the identity of this collector')
}

export const noteHeard = store.noteHeard

/** Collectors of all tenants by state, for Prometheus. */
export const countCollectors = (system: Ctx): Promise<Record<string, number>> =>
  store.countByState(system, SILENCE_MS_MAX)

export { countAssignments } from './assignments/assignment-store.ts'

/** By name. */
export async function listCollectors(ctx: Ctx): Promise<Collector[]> {
  permit(ctx, 'scans:read')
  return store.collectors(ctx)
}

/** Its requests are refused from now on; what it is at fails or goes on elsewhere. Revoking twice is no error. */
export async function revokeCollector(ctx: Ctx, id: string): Promise<Collector> {
  permit(ctx, 'scans:write')
  return atomically(ctx, async (inner) => {
    const { name, revokedAt } = await collectorOf(inner, id)
    if (revokedAt === null) {
      await store.revoke(inner, id)
      await keys.revoke(inner, id)
      await record(inner, 'collector.revoked', { type: 'collector', id }, { name })
    }
    return collectorOf(inner, id)
  })
}

/**
 * Refused while a target is scanned by it: the server would look in its place, at other machines. Refused too while it is the
 * last that can open the secret of a credential, which nobody else has.
 */
export async function deleteCollector(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'scans:write')
  await atomically(ctx, async (inner) => {
    const { name } = await collectorOf(inner, id)
    const alone = await credentialsOpenedOnlyBy(inner, id)
    if (alone.length > 0)
      throw conflict(
        `it alone can open ${alone.join(', ')}; enter those secrets anew for another, or delete them, first`,
      )
    await store.remove(inner, id).catch((error: unknown) => {
      throw isReferenced(error) ? conflict('targets are scanned by it; give those another first') : error
    })
    await record(inner, 'collector.deleted', { type: 'collector', id }, { name })
  })
}

/**
 * The collectors that are to scan a target after `before`. Refuses, naming the field, new ones that are not there or revoked.
 * New ones are shown the credentials of the target, so they need the permission to write those.
 */
export async function checkedCollectorIds(
  ctx: Ctx,
  ids: readonly string[],
  before: readonly string[] = [],
): Promise<readonly string[]> {
  permit(ctx, 'scans:write')
  const distinct = [...new Set(ids)]
  if (distinct.length > COLLECTORS_MAX) throw invalid('collectorIds', `are more than ${COLLECTORS_MAX}`)
  const added = distinct.filter((id) => !before.includes(id))
  if (added.length > 0) permit(ctx, 'credentials:write')
  const known = added.every(isUuid) ? await store.usable(ctx, added) : []
  if (known.length < added.length) throw notFound('collector')
  return distinct
}

const COLLECTORS_MAX = 20

async function collectorOf(ctx: Ctx, id: string): Promise<Collector> {
  const found = isUuid(id) ? await store.collector(ctx, id) : undefined
  if (!found) throw notFound('collector')
  return found
}

/** PostgreSQL's foreign_key_violation. */
const isReferenced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503'
