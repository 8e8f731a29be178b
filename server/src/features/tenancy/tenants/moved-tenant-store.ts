import type pg from 'pg'

/** What a tenant takes along to another installation, beside the rows of its own tables. */

/** Tables of tenants that refer to accounts: their rows are carried with the accounts. */
export const MEMBER_TABLES = ['memberships', 'sign_on_identities'] as const

/** What an account does not take along. */
const LEFT = { last_tenant_id: null, may_create_tenants: false }

export interface CarriedAccounts {
  /** Accounts that were new there, with their passwords and second factors. */
  readonly added: readonly string[]
  /** By the id here; of those who had an account there under the same address, that. */
  readonly ids: ReadonlyMap<string, string>
}

/** The tenant itself, and the accounts of its members. */
export async function carryTenant(
  from: pg.ClientBase,
  to: pg.ClientBase,
  tenantId: string,
): Promise<CarriedAccounts> {
  const [tenant] = await rowsOf(from, 'select to_jsonb(t) as row from tenants t where id = $1', [tenantId])
  await add(to, 'tenants', [{ ...tenant, has_moved: false, closed_at: null }])
  const accounts = await rowsOf(
    from,
    `select to_jsonb(u) as row from users u where managed_by = $1 or id in (
       select user_id from memberships where tenant_id = $1)`,
    [tenantId],
  )
  const ids = new Map<string, string>()
  const added: string[] = []
  for (const account of accounts) {
    const known = await to.query<{ id: string }>(
      'select id from users where lower(email) = lower($1) and managed_by is not distinct from $2',
      [account['email'], account['managed_by']],
    )
    const id = String(account['id'])
    ids.set(id, known.rows[0]?.id ?? id)
    if (known.rows[0]) continue
    await add(to, 'users', [{ ...account, ...LEFT }])
    added.push(id)
  }
  const codes = await rowsOf(
    from,
    'select to_jsonb(c) as row from recovery_codes c where user_id = any($1::uuid[])',
    [added],
  )
  await add(to, 'recovery_codes', codes)
  return { added, ids }
}

/** Who belongs to the tenant, once its roles are there. Answers how many rows. */
export async function carryMembers(
  from: pg.ClientBase,
  to: pg.ClientBase,
  { tenantId, ids }: { readonly tenantId: string; readonly ids: ReadonlyMap<string, string> },
): Promise<number> {
  let count = 0
  for (const table of MEMBER_TABLES) {
    const rows = await rowsOf(from, `select to_jsonb(m) as row from ${table} m where tenant_id = $1`, [
      tenantId,
    ])
    const carried = rows.map((row) => ({
      ...row,
      user_id: ids.get(String(row['user_id'])) ?? row['user_id'],
    }))
    await add(to, table, carried)
    count += rows.length
  }
  return count
}

/** The tenant is served elsewhere, and its rows here may go; its keys go at once. */
export async function closeMoved(client: pg.ClientBase, tenantId: string): Promise<void> {
  await client.query(
    `update tenants set has_moved = true, closed_at = clock_timestamp(), slug = 'moved-' || id where id = $1`,
    [tenantId],
  )
}

type Json = Readonly<Record<string, unknown>>

async function rowsOf(client: pg.ClientBase, text: string, values: readonly unknown[]): Promise<Json[]> {
  const { rows } = await client.query<{ row: Json }>(text, [...values])
  return rows.map(({ row }) => row)
}

const add = (client: pg.ClientBase, table: string, rows: readonly Json[]) =>
  client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ])
