import { keyById } from '#features/api-keys/api-keys.ts'
import { enqueueNotice } from '#features/notices/notices.ts'
import { partnerKeyById } from '#features/partners/partners.ts'
import { grants, listUsers, memberPermissions } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { DeprecatedUse } from '#platform/http/deprecation/deprecated-use.ts'
import * as store from './deprecated-use-store.ts'

const AGAIN_AFTER_MS = 7 * 86_400_000
const RECIPIENTS_MAX = 100

/** A key as the notice names it, and who answers for it. */
interface UsedKey {
  readonly name: string
  readonly link: string
  readonly userIds: readonly string[]
}

/**
 * Tells the owner of a key that it calls a deprecated endpoint: once for each key and endpoint, then weekly while it
 * goes on, until the sunset. Of most requests this is one statement that reads.
 */
export async function tellOfDeprecatedUse(ctx: Ctx, use: DeprecatedUse): Promise<void> {
  const now = ctx.now()
  const since = new Date(now.getTime() - AGAIN_AFTER_MS)
  if (now.getTime() >= Date.parse(use.deprecated.sunset) || (await store.wasToldSince(ctx, use, since)))
    return
  await atomically(ctx, async (inner) => {
    if (!(await store.noteTold(inner, use, since))) return
    const key = await (use.isConfined ? partnerKey(inner, use.keyId) : apiKey(inner, use.keyId))
    if (!key || key.userIds.length === 0) return
    await enqueueNotice(inner, {
      dedupeKey: `deprecated-use:${use.keyId}:${use.endpoint}:${now.toISOString()}`,
      recipients: key.userIds.slice(0, RECIPIENTS_MAX).map((userId) => ({ userId })),
      topic: `deprecated-use:${use.keyId}`,
      subject: `${key.name} calls ${use.endpoint}, which goes on ${use.deprecated.sunset}`,
      text: textOf(inner, key, use),
      link: key.link,
    })
  })
}

function textOf(ctx: Ctx, { name }: UsedKey, { endpoint, deprecated }: DeprecatedUse): string {
  const { since, sunset, link } = deprecated
  return [
    `${name} still calls ${endpoint}. It is deprecated since ${since} and is answered with 410 from ${sunset} on.`,
    `What to use instead: ${link.startsWith('/') ? ctx.publicUrl + link : link}`,
    'This is said once a week while the key calls it.',
  ].join('\n\n')
}

/** Who made it answers for it; when they have left, or nobody knows, whoever may manage keys. */
async function apiKey(ctx: Ctx, id: string): Promise<UsedKey | undefined> {
  const key = await keyById(ctx, id)
  if (!key) return undefined
  const isMember = key.createdBy !== null && (await memberPermissions(ctx, key.createdBy)) !== undefined
  const userIds = isMember && key.createdBy !== null ? [key.createdBy] : await whoMay(ctx, 'api_keys:write')
  return { name: `The API key ${key.name} (${key.prefix}…)`, link: '/api-keys', userIds }
}

async function partnerKey(ctx: Ctx, id: string): Promise<UsedKey | undefined> {
  const key = await partnerKeyById(ctx, id)
  if (!key) return undefined
  const userIds = await whoMay(ctx, 'partners:write')
  return {
    name: `A key of the partner ${key.partnerName} (${key.prefix}…)`,
    link: `/partners/${key.partnerId}`,
    userIds,
  }
}

async function whoMay(ctx: Ctx, permission: string): Promise<string[]> {
  const found: string[] = []
  for (const { id } of await listUsers(ctx)) {
    const member = await memberPermissions(ctx, id)
    if (member && grants(member.permissions, permission)) found.push(id)
  }
  return found
}
