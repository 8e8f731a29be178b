import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { searchAudit, verifyAudit } from '../src/features/audit/audit.ts'
import { listUsers } from '../src/features/tenancy/people.ts'
import { hashPassword } from '../src/features/tenancy/passwords.ts'
import { MIGRATIONS } from '../src/migrations.ts'
import type { Whereabouts } from '../src/platform/db.ts'
import { migrate } from '../src/platform/migrate.ts'
import { browserOf, PASSWORD } from './browser.ts'
import { house } from './house.ts'

const BEFORE_PEOPLE = '0012'

/** An installation from before people had memberships: one tenant, an administrator, another person, three entries. */
async function oldInstallation(): Promise<Whereabouts> {
  const where = await emptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of readdirSync(MIGRATIONS).filter((it) => it < BEFORE_PEOPLE))
    cpSync(join(MIGRATIONS, name), join(folder, name))
  await migrate(where, folder)
  const hash = await hashPassword(PASSWORD)
  await withClient(where, async (client) => {
    await client.query('set role rollcall_system')
    const { rows } = await client.query<{ id: string }>(
      `insert into tenants (slug, name) values ('old', 'Old') returning id`,
    )
    const tenantId = rows[0]?.id
    for (const [email, isAdmin] of [
      ['boss@old.example', true],
      ['reader@old.example', false],
    ])
      await client.query(
        'insert into users (tenant_id, email, password_hash, is_admin) values ($1, $2, $3, $4)',
        [tenantId, email, hash, isAdmin],
      )
    for (const subject of ['1', '2', '3'])
      await client.query(
        `insert into audit_entries (tenant_id, actor_kind, actor_id, action, subject_type, subject_id, details)
         values ($1, 'system', 'x', 'thing.made', 'thing', $2, '{}')`,
        [tenantId, subject],
      )
  })
  return where
}

test('people of before sign in with their passwords, as what they were, and the log becomes a chain', async () => {
  const where = await oldInstallation()
  await migrate(where, MIGRATIONS)
  const it = await house({ where })
  const { rows } = await withClient(where, async (client) => {
    await client.query('set role rollcall_system')
    return client.query<{ id: string }>('select id from tenants')
  })
  const ctx = it.household.contextFor(rows[0]?.id ?? '')
  expect((await listUsers(ctx)).map(({ email, role }) => [email, role.name])).toEqual([
    ['boss@old.example', 'Admin'],
    ['reader@old.example', 'Viewer'],
  ])
  const browser = await browserOf(it, { email: 'boss@old.example' })
  const { body } = await browser.send('GET', '/session')
  expect(body).toMatchObject({ state: 'signed_in', tenant: { slug: 'old' }, role: { name: 'Admin' } })
  expect(await verifyAudit(ctx)).toMatchObject({ entries: 4, head: { seq: 4 }, faults: [] })
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'thing.made' })
  expect(items.map(({ subject }) => subject.id)).toEqual(['3', '2', '1'])
})

async function emptyDatabase(): Promise<Whereabouts> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const { user } = inject('owner')
  await withClient(inject('superuser'), (client) => client.query(`create database ${name} owner ${user}`))
  onTestFinished(async () => {
    await withClient(inject('superuser'), (client) => client.query(`drop database ${name} with (force)`))
  })
  return { ...inject('owner'), database: name }
}

async function withClient<T>(where: Whereabouts, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
