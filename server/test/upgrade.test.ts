import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { listAssets } from '../src/features/assets/assets.ts'
import { searchAudit, verifyAudit } from '../src/features/audit/audit.ts'
import { listUsers } from '../src/features/tenancy/members/members.ts'
import { hashPassword } from '../src/features/tenancy/accounts/password-hash.ts'
import { MIGRATIONS } from '../src/startup/migrations.ts'
import type { DatabaseAddress } from '../src/platform/database/address.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { browserOf, PASSWORD } from './support/http/browser-session.ts'
import { testApp } from './support/app/test-app.ts'
import { emptyDatabase, withClient } from './support/database/empty-database.ts'

/** The first migration that is not of 0.1.0. */
const AFTER_0_1_0 = '0014'
const TENANT = '01900000-0000-7000-8000-000000000001'
const SOURCE = '01900000-0000-7000-8000-000000000003'

/** An installation as 0.1.0 made it, written by its statements: a tenant, two people, an asset, three entries of the log. */
async function oldInstallation(): Promise<DatabaseAddress> {
  const where = await emptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of readdirSync(MIGRATIONS).filter((it) => it < AFTER_0_1_0))
    cpSync(join(MIGRATIONS, name), join(folder, name))
  await migrate(where, folder)
  const hash = await hashPassword(PASSWORD)
  await withClient(where, async (client) => {
    await client.query(`set role rollcall_system; set app.tenant = '${TENANT}'`)
    await client.query(`insert into tenants (id, slug, name) values ($1, 'old', 'Old')`, [TENANT])
    for (const [email, role] of [
      ['boss@old.example', 'admin'],
      ['reader@old.example', 'viewer'],
    ])
      await client.query(
        `with person as (insert into users (email, password_hash) values ($2, $3) returning id),
          role as (insert into roles (tenant_id, name, built_in) values ($1, initcap($4), $4) returning id)
        insert into memberships (tenant_id, user_id, role_id) select $1, person.id, role.id from person, role`,
        [TENANT, email, hash, role],
      )
    await client.query(
      `insert into assets (tenant_id, id, name, asset_type, ip_address, mac_address, os, hostname, serial, vendor, model,
        confidence, tags, first_seen, last_seen)
      values ($1, '01900000-0000-7000-8000-000000000002', 'printer', 'device', '192.0.2.7', '', '', '', '', '', '', 0.5, '{}',
        now(), now())`,
      [TENANT],
    )
    await client.query(
      `insert into asset_search (tenant_id, asset_id, text) values ($1, '01900000-0000-7000-8000-000000000002', $2)`,
      [TENANT, 'bu\u0308roZdrucker'],
    )
    await client.query(`insert into asset_counts (tenant_id, asset_type, n) values ($1, 'device', 1)`, [
      TENANT,
    ])
    await client.query(
      `insert into asset_observations (tenant_id, id, source_id, source_kind, source_name, source_key, scope, asset_id,
        first_seen, last_seen, payload, payload_hash, watched)
      select $1, gen_random_uuid(), $2, 'csv', 'list', n::text, '', '01900000-0000-7000-8000-000000000002',
        now(), now(), '{}', '', false from generate_series(1, 2) as n`,
      [TENANT, SOURCE],
    )
    for (const subject of ['1', '2', '3'])
      await client.query(
        `insert into audit_entries (tenant_id, actor_kind, actor_id, action, subject_type, subject_id, details)
         values ($1, 'system', 'x', 'thing.made', 'thing', $2, '{}')`,
        [TENANT, subject],
      )
    await client.query(
      'select link_audit_entries($1, array(select id from audit_entries where tenant_id = $1 order by id))',
      [TENANT],
    )
  })
  return where
}

test('what 0.1.0 wrote is still there, signs in and verifies', async () => {
  const where = await oldInstallation()
  await migrate(where, MIGRATIONS)
  const it = await testApp({ where })
  const ctx = it.runtime.contextFor(TENANT)
  expect((await listUsers(ctx)).map(({ email, role }) => [email, role.name])).toEqual([
    ['boss@old.example', 'Admin'],
    ['reader@old.example', 'Viewer'],
  ])
  const browser = await browserOf(it, { email: 'boss@old.example' })
  const { body } = await browser.send('GET', '/session')
  expect(body).toMatchObject({ state: 'signed_in', tenant: { slug: 'old' }, role: { name: 'Admin' } })
  expect(await listAssets(ctx, { limit: 5, offset: 0 })).toMatchObject({
    items: [{ name: 'printer', ipAddress: '192.0.2.7' }],
    total: 1,
  })
  expect((await listAssets(ctx, { limit: 5, offset: 0 }, { search: 'B\u00dcRO-' })).total).toBe(1)
  const counts = sql`select source_id, n from asset_observation_counts where tenant_id = ${TENANT}`
  expect(await ctx.db.all(counts)).toEqual([{ source_id: SOURCE, n: 2 }])
  expect(await verifyAudit(ctx)).toMatchObject({ entries: 4, head: { seq: 4 }, faults: [] })
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'thing.made' })
  expect(items.map(({ subject }) => subject.id)).toEqual(['3', '2', '1'])
})

test('a database that a newer version has brought up to date is refused', async () => {
  const where = await emptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-newer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  writeFileSync(join(folder, '9999-newer.sql'), 'create table newer (id integer)')
  await migrate(where, folder)
  await expect(migrate(where, MIGRATIONS)).rejects.toThrow(
    'a newer version has brought the database up to date (9999-newer.sql); run that version, or restore a backup from before',
  )
})
