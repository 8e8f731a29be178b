import { listKeys } from '#features/api-keys/api-keys.ts'
import { attestationsEndingWithin, exceptionsEndingWithin } from '#features/compliance/compliance.ts'
import { listContracts } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
import { endsWithin, whole, type OpenItemKind } from './open-item.ts'

const EXCEPTION_DAYS = 30
const ATTESTATION_DAYS = 30
/** What ends is told of at first, and again when no more than these days are left. */
const TOLD_AGAIN_DAYS = [7, 1]
const CONTRACT_DAYS = 30
const KEY_DAYS = 14

const day = (instant: string | null): string => (instant ?? '').slice(0, 10)

/**
 * What ends soon. The key holds the end: what was extended and ends again is told again. That of exceptions and
 * attestations changes with the days that are left, so that these are told of a month, a week and a day before.
 */
export const endings: readonly OpenItemKind[] = [
  {
    name: 'exception_ends',
    title: `Exceptions that end within ${EXCEPTION_DAYS} days`,
    permission: 'compliance:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items, total } = await exceptionsEndingWithin(ctx, EXCEPTION_DAYS, limit)
      const ending = items.map(({ id, title, expiresAt, ownerName }) => ({
        key: `${id}:${expiresAt}${stageOf(ctx, expiresAt)}`,
        subject: `The exception from “${title}”${ownerName === null ? '' : ` that ${ownerName} answers for`} ends on ${day(expiresAt)}`,
        link: '/compliance/exceptions',
      }))
      return { items: ending, total }
    },
  },
  {
    name: 'attestation_ends',
    title: `Attestations that end within ${ATTESTATION_DAYS} days`,
    permission: 'compliance:read',
    isOfAllAssets: true,
    async find(ctx, limit) {
      const { items, total } = await attestationsEndingWithin(ctx, ATTESTATION_DAYS, limit)
      const ending = items.map(({ id, framework, controlId, attestedByName, validUntil }) => ({
        key: `${id}:${validUntil}${stageOf(ctx, validUntil)}`,
        subject: `What ${attestedByName} attested for ${controlId} of ${framework} holds until ${day(validUntil)}`,
        link: `/compliance/${framework}/controls/${encodeURIComponent(controlId)}`,
      }))
      return { items: ending, total }
    },
  },
  {
    name: 'contract_ends',
    title: `Contracts that end within ${CONTRACT_DAYS} days`,
    permission: 'assets:read',
    async find(ctx, limit) {
      const ending = (await listContracts(ctx)).filter(({ ends }) => endsWithin(ctx, ends, CONTRACT_DAYS))
      return whole(
        ending.map(({ id, name, ends }) => ({
          key: `${id}:${ends}`,
          subject: `The contract ${name} ends on ${ends}`,
          link: '/',
        })),
        limit,
      )
    },
  },
  {
    name: 'api_key_ends',
    title: `API keys that expire within ${KEY_DAYS} days`,
    permission: 'api_keys:read',
    async find(ctx, limit) {
      const ending = (await listKeys(ctx)).filter(
        ({ revokedAt, expiresAt }) => revokedAt === null && endsWithin(ctx, expiresAt, KEY_DAYS),
      )
      return whole(
        ending.map(({ id, name, expiresAt }) => ({
          key: `${id}:${expiresAt}`,
          subject: `The API key ${name} expires on ${day(expiresAt)}`,
          link: '/api-keys',
        })),
        limit,
      )
    },
  },
]

/** Empty, then `:7`, then `:1`: how many days are left at most. */
function stageOf(ctx: Ctx, end: string): string {
  const left = TOLD_AGAIN_DAYS.findLast((days) => endsWithin(ctx, end, days))
  return left === undefined ? '' : `:${left}`
}
