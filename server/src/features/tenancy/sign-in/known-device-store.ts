import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Maximum per account; the least recently used are deleted. */
const DEVICES_MAX = 20
/** Same lifetime as the cookie. */
const UNUSED_MAX = '180 days'

/** Whether someone signed in to the account of this address with this device token. */
export async function isKnown(system: Ctx, email: string, tokenHash: Buffer): Promise<boolean> {
  const found = await system.db.maybe(sql`
    select 1 from known_devices d join users u on u.id = d.user_id
    where d.token_hash = ${tokenHash} and lower(u.email) = lower(${email}) and u.managed_by is null`)
  return found !== undefined
}

/** Replaces the previous token for all accounts known under it. */
export async function remember(
  system: Ctx,
  userId: string,
  { before, next }: { before: Buffer | undefined; next: Buffer },
): Promise<void> {
  if (before)
    await system.db.run(sql`update known_devices set token_hash = ${next} where token_hash = ${before}`)
  await system.db.run(sql`
    insert into known_devices (user_id, token_hash) values (${userId}, ${next})
    on conflict (user_id, token_hash) do update set last_used_at = clock_timestamp()`)
  await system.db.run(sql`
    delete from known_devices where user_id = ${userId} and token_hash in (
      select token_hash from known_devices where user_id = ${userId}
      order by last_used_at desc, token_hash offset ${DEVICES_MAX})`)
}

export async function forgetAll(system: Ctx, userId: string): Promise<void> {
  await system.db.run(sql`delete from known_devices where user_id = ${userId}`)
}

export async function deleteExpired(system: Ctx): Promise<void> {
  await system.db.run(sql`
    delete from known_devices where last_used_at < clock_timestamp() - ${UNUSED_MAX}::interval`)
}
