import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import type { SealedColumn } from './reseal.ts'
import { openSeal } from './seal.ts'

/** A sealed text that is always the same: whoever can open it has the right SECRET_KEY. */
const KEY_CHECK = 'rollcall'
const KEY_CHECK_CONTEXT = 'installation.key_check'
const WELCOME_CONTEXT = 'installation.welcome'

/** What the installation itself has sealed. */
export const installationSealed: readonly SealedColumn[] = [
  { table: 'installation', key: ['is_only'], column: 'key_check', contextOf: () => KEY_CHECK_CONTEXT },
  { table: 'installation', key: ['is_only'], column: 'welcome', contextOf: () => WELCOME_CONTEXT },
]

export type KeyState = 'new' | 'same' | 'another'

/** Whether the stored secrets were sealed with the current SECRET_KEY; `new` before anything has been sealed. */
export async function keyState(system: Ctx): Promise<KeyState> {
  const row = await system.db.maybe(sql<{ key_check: Buffer }>`select key_check from installation`)
  if (!row) return 'new'
  try {
    return system.seal.open(row.key_check, KEY_CHECK_CONTEXT) === KEY_CHECK ? 'same' : 'another'
  } catch {
    return 'another'
  }
}

/** Whether the key is that of the installation that `keyCheck` (Base64) was taken from. */
export function opensKeyCheck(secretKey: string, keyCheck: string): boolean {
  try {
    return openSeal(secretKey).open(Buffer.from(keyCheck, 'base64'), KEY_CHECK_CONTEXT) === KEY_CHECK
  } catch {
    return false
  }
}

/** The first SECRET_KEY that is used becomes the installation's. False for another key. */
export async function adoptKey(system: Ctx): Promise<boolean> {
  const state = await keyState(system)
  if (state !== 'new') return state === 'same'
  await system.db.run(sql`
    insert into installation (key_check) values (${system.seal.seal(KEY_CHECK, KEY_CHECK_CONTEXT)})
    on conflict do nothing`)
  return adoptKey(system)
}

/**
 * Initializes the installation: `create` runs once, ever, and its result (the first credentials) is stored, sealed, in the
 * same transaction until `showWelcome` has printed it. False when the installation was initialized before.
 */
export function found(system: Ctx, create: (system: Ctx) => Promise<string>): Promise<boolean> {
  return system.db.transaction(async (db) => {
    const isFirst = await db.run(sql`
      update installation set founded_at = clock_timestamp() where founded_at is null`)
    if (!isFirst) return false
    const welcome = await create({ ...system, db })
    await db.run(sql`update installation set welcome = ${system.seal.seal(welcome, WELCOME_CONTEXT)}`)
    return true
  })
}

export async function isFounded(system: Ctx): Promise<boolean> {
  const row = await system.db.maybe(sql<{ isFounded: boolean }>`
    select founded_at is not null as "isFounded" from installation`)
  return row?.isFounded === true
}

/**
 * Passes what `found` stored to `show`, and deletes it once `show` has succeeded. A crash between the two prints it again
 * at the next start: printing twice is harmless, not at all would lock everybody out.
 */
export function showWelcome(system: Ctx, show: (welcome: string) => Promise<void>): Promise<void> {
  return system.db.transaction(async (db) => {
    const row = await db.maybe(sql<{ welcome: Buffer }>`
      select welcome from installation where welcome is not null for update skip locked`)
    if (!row) return
    await show(system.seal.open(row.welcome, WELCOME_CONTEXT))
    await db.run(sql`update installation set welcome = null`)
  })
}
