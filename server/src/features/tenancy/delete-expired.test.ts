import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { deleteAllExpired } from './delete-expired.ts'

const home = sharedTestApp()
interface Owner {
  readonly userId: string
  readonly tenantId: string
}
const ago = (hours: number) => sql`clock_timestamp() - make_interval(hours => ${hours}::int)`
const TWO_DAYS = 48
const HALF_A_YEAR = 180 * 24

test.each<[string, string, (of: Owner, token: Buffer, isOver: boolean) => RawBuilder<unknown>]>([
  [
    'sessions',
    'sessions',
    ({ userId }, token, isOver) => sql`
      insert into sessions (token_hash, user_id, address, user_agent, expires_at)
      values (${token}, ${userId}, '', '', ${ago(isOver ? 1 : -1)})`,
  ],
  [
    'reset links',
    'password_resets',
    ({ userId }, token, isOver) => sql`
      insert into password_resets (token_hash, user_id, expires_at)
      values (${token}, ${userId}, ${ago(isOver ? 1 : -1)})`,
  ],
  [
    'counts of wrong guesses',
    'wrong_guesses',
    (_, token, isOver) => sql`
      insert into wrong_guesses (bucket, times, last_at, next_at)
      values (${token}, 1, ${ago(isOver ? TWO_DAYS + 1 : TWO_DAYS - 1)}, clock_timestamp())`,
  ],
  [
    'known devices',
    'known_devices',
    ({ userId }, token, isOver) => sql`
      insert into known_devices (token_hash, user_id, last_used_at)
      values (${token}, ${userId}, ${ago(isOver ? HALF_A_YEAR + 1 : HALF_A_YEAR - 2)})`,
  ],
  [
    'single sign-ons under way',
    'sign_on_journeys',
    ({ tenantId }, token, isOver) => sql`
      insert into sign_on_journeys (state_hash, cookie_hash, tenant_id, nonce, code_verifier, return_to, expires_at)
      values (${token}, '', ${tenantId}, '', '', '/', ${ago(isOver ? 1 : -1)})`,
  ],
])('of %s, those that are over are deleted and no others', async (_, table, add) => {
  const { system } = home().runtime
  const ctx = await home().newTenant()
  const { tenantId } = ctx
  const { id: userId } = await newPerson(home(), ctx)
  const [left, over] = [randomBytes(32), randomBytes(32)]
  await system.db.run(add({ userId, tenantId }, left, false))
  await system.db.run(add({ userId, tenantId }, over, true))
  await deleteAllExpired(system)
  const rows = await system.db.all(sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`)
  const isThere = (token: Buffer) => rows.some(({ text }) => text.includes(token.toString('hex')))
  expect([isThere(left), isThere(over)]).toEqual([true, false])
})
