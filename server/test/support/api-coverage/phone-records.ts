import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { assetsOfKeys, submit } from '../../../src/features/sources/sources.ts'
import type { Ctx } from '../../../src/platform/context.ts'

/** A phone that takes random MAC addresses, and was there for a moment so many days ago. */
export async function makePhone(ctx: Ctx, daysAgo: number, name: string): Promise<string> {
  const mac = `da:a1:19:${(randomBytes(3).toString('hex').match(/../g) ?? []).join(':')}`
  const seenAt = new Date(ctx.now().getTime() - daysAgo * 86_400_000 - randomInt(3_600_000))
  const identifiers = [
    { type: 'mac' as const, value: mac },
    { type: 'hostname' as const, value: name },
    { type: 'ip' as const, value: '10.9.8.7' },
  ]
  const source = { kind: 'sweep', name: 'phones' }
  await submit(ctx, source, [{ sourceKey: mac, seenAt, identifiers }])
  return (await assetsOfKeys(ctx, source, [mac])).get(mac) ?? ''
}

/** Of the phone that was made last: the other one is to be taken for it. */
export async function nameOfLastPhone(ctx: Ctx): Promise<string> {
  const found = await ctx.db.maybe(sql<{ value: string }>`
    select value from asset_identifiers
    where tenant_id = ${ctx.tenantId} and type = 'hostname' and value like 'mobile-%'
    order by observation_id desc limit 1`)
  return found?.value ?? `mobile-${randomBytes(6).toString('hex')}`
}
