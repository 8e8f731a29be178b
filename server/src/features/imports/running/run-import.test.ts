import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { listAssets } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { cancelImport, checkImport, getImport, listImports, startImport } from '../imports.ts'
import { workOnImport } from './run-import.ts'
import { jobsOf, NEVER, upload, work } from '../uploads.fixture.ts'

const shared = sharedTestApp()
const tenant = () => shared().newTenant()
const PAGE = { limit: 10, offset: 0 }
const total = async (ctx: Ctx) => (await listAssets(ctx, PAGE)).total
const auditOf = async (ctx: Ctx) =>
  (await searchAudit(ctx, PAGE)).items
    .filter(({ action }) => action.startsWith('import.'))
    .map(({ action, details }) => ({ action, ...details }))

const rows = (count: number) =>
  `name,serial\n${Array.from({ length: count }, (_, n) => `pc-${n},SN-${10_000 + n}\n`).join('')}`

async function ready(ctx: Ctx, text: string | Buffer): Promise<string> {
  const { id } = await upload(ctx, text)
  await work(ctx, id)
  return id
}

test('issue 9: an upload is looked through, imported by a job, and told in the audit log at its end', async () => {
  const ctx = await tenant()
  const { id, status } = await upload(ctx, 'name,assetType\nweb-1,device\nweb-2,toaster\n')
  expect(status).toBe('checking')
  expect(await work(ctx, id)).toMatchObject({
    status: 'ready',
    format: 'csv',
    preview: {
      rows: 1,
      rejectedTotal: 1,
      rejected: [{ line: 3, field: 'assetType' }],
      columns: [
        { title: 'name', column: 'name', examples: ['web-1', 'web-2'] },
        { title: 'assetType', column: 'assetType' },
      ],
      sample: [{ line: 2, name: 'web-1', type: 'device' }],
    },
  })
  expect([await total(ctx), await auditOf(ctx)]).toEqual([0, []])
  expect(await startImport(ctx, id)).toMatchObject({ status: 'waiting' })
  expect(await work(ctx, id)).toMatchObject({
    status: 'completed',
    observed: 1,
    created: 1,
    rejectedTotal: 1,
    rejected: [{ line: 3 }],
  })
  expect(await auditOf(ctx)).toMatchObject([
    { action: 'import.finished', file: 'things.csv', created: 1, rejected: 1 },
    { action: 'import.started' },
  ])
  const left = await ctx.db.all(sql`select from import_chunks where tenant_id = ${ctx.tenantId}`)
  expect([await total(ctx), left]).toEqual([1, []])
})

describe('issue 9: the same import is not started twice', () => {
  test('by a start that is sent again', async () => {
    const ctx = await tenant()
    const id = await ready(ctx, rows(3))
    const before = await jobsOf(ctx)
    await Promise.all([startImport(ctx, id), startImport(ctx, id)])
    expect((await jobsOf(ctx)) - before).toBe(1)
    await work(ctx, id)
    expect(await startImport(ctx, id)).toMatchObject({ status: 'completed', created: 3 })
  })

  test('by an upload that is sent again, whole or from the middle', async () => {
    const ctx = await tenant()
    const first = await upload(ctx, rows(3), { key: 'k' })
    expect(await upload(ctx, rows(3), { key: 'k' })).toMatchObject({ id: first.id, received: first.bytes })
    expect((await listImports(ctx, PAGE)).total).toBe(1)
    await expect(upload(ctx, rows(4), { key: 'k' })).rejects.toMatchObject({ status: 409 })
  })

  test('by another upload of the same file while the first is under way', async () => {
    const ctx = await tenant()
    const [one, two] = [await ready(ctx, rows(3)), await ready(ctx, rows(3))]
    await startImport(ctx, one)
    expect(await startImport(ctx, two)).toMatchObject({ id: one, status: 'waiting' })
    expect(await getImport(ctx, two)).toMatchObject({ status: 'cancelled' })
  })
})

describe('issue 9: a worker that dies', () => {
  test('in the middle of an import is followed by one that goes on, and the counts are of both', async () => {
    const ctx = await tenant()
    const id = await ready(ctx, rows(1_200))
    await startImport(ctx, id)
    // the process ends while the third batch is written
    let batches = 0
    const dying: Ctx = {
      ...ctx,
      db: {
        ...ctx.db,
        transaction: (run) =>
          ctx.db.transaction(async (db) => {
            if (++batches === 4) throw new Error('the worker died')
            return run(db)
          }),
      },
    }
    await expect(workOnImport(dying, { importId: id }, NEVER)).rejects.toThrow('the worker died')
    const { observed } = await getImport(ctx, id)
    expect([observed > 0, observed < 1_200, await total(ctx)]).toEqual([true, true, observed])
    expect(await work(ctx, id)).toMatchObject({
      status: 'completed',
      observed: 1_200,
      created: 1_200,
      unchanged: 0,
    })
    expect(await total(ctx)).toBe(1_200)
  })

  test('each time it tries ends as a failure that says so', async () => {
    const ctx = await tenant()
    const id = await ready(ctx, rows(2))
    await startImport(ctx, id)
    await ctx.db.run(sql`update imports set attempt = 3, is_worked = true where tenant_id = ${ctx.tenantId}`)
    expect(await work(ctx, id)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('given up'),
    })
    expect(await auditOf(ctx)).toMatchObject([{ action: 'import.failed' }, {}])
  })
})

test('a process that stops gives its import back', async () => {
  const ctx = await tenant()
  const id = await ready(ctx, rows(2))
  await startImport(ctx, id)
  await expect(work(ctx, id, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
  expect(await work(ctx, id)).toMatchObject({ status: 'completed', created: 2 })
})

test('cancelled while it runs, it ends with the batch at hand, which is undone; what was taken stays', async () => {
  const ctx = await tenant()
  const id = await ready(ctx, rows(1_200))
  await startImport(ctx, id)
  let batches = 0
  const slow: Ctx = {
    ...ctx,
    db: {
      ...ctx.db,
      transaction: async (run) => {
        if (++batches === 3) await cancelImport(ctx, id)
        return ctx.db.transaction(run)
      },
    },
  }
  await workOnImport(slow, { importId: id }, NEVER)
  const { status, observed } = await getImport(ctx, id)
  expect([status, observed < 1_200, await total(ctx)]).toEqual(['cancelled', true, observed])
  expect(await auditOf(ctx)).toMatchObject([{ action: 'import.cancelled', observed }, {}])
  await expect(cancelImport(ctx, id)).rejects.toMatchObject({ status: 409 })
})

test('two files of a tenant are read at once; the third waits, and those of others do not', async () => {
  const [ctx, other] = [await tenant(), await tenant()]
  const ids = [await upload(ctx, rows(1)), await upload(ctx, rows(2)), await upload(ctx, rows(3))]
  await ctx.db.run(sql`
    update imports set is_worked = true where tenant_id = ${ctx.tenantId} and id <> ${ids[2]!.id}`)
  const jobs = await jobsOf(ctx)
  expect(await work(ctx, ids[2]!.id)).toMatchObject({ status: 'checking' })
  expect(await jobsOf(ctx)).toBe(jobs + 1)
  const { id } = await upload(other, rows(1))
  expect(await work(other, id)).toMatchObject({ status: 'ready' })
})

test('issue 9: of six files at once two are read; of each all rejected rows are counted and 500 listed', async () => {
  const ctx = await tenant()
  const lines = 2_000
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push((await upload(ctx, `name,os\n${'x\n'.repeat(lines)}`)).id)
  let [atOnce, open] = [0, ids]
  for (let round = 0; round < 6 && open.length > 0; round++) {
    let isDone = false
    const all = Promise.all(open.map((id) => workOnImport(ctx, { importId: id }, NEVER)))
    const done = all.finally(() => (isDone = true))
    while (!isDone) {
      const { found } = await ctx.db.one(sql<{ found: number }>`
        select count(*) as found from imports where tenant_id = ${ctx.tenantId} and is_worked`)
      atOnce = Math.max(atOnce, found)
    }
    await done
    const found = await Promise.all(ids.map((id) => getImport(ctx, id)))
    open = found.flatMap(({ id, status }) => (status === 'checking' ? [id] : []))
  }
  expect(atOnce).toBe(2)
  for (const { status, preview } of (await listImports(ctx, PAGE)).items) {
    const { rows: good, rejectedTotal, rejected } = preview ?? {}
    expect([status, good, rejectedTotal, rejected?.length]).toEqual(['ready', 0, lines, 500])
  }
})

test('ten uploads of a tenant at most lie about', async () => {
  const ctx = await tenant()
  for (let n = 0; n < 10; n++) await upload(ctx, rows(1))
  await expect(upload(ctx, rows(1))).rejects.toMatchObject({ status: 409 })
  const { items } = await listImports(ctx, PAGE)
  await cancelImport(ctx, items[0]!.id)
  expect(await upload(ctx, rows(1))).toMatchObject({ status: 'checking' })
})

describe('columns', () => {
  const list = 'Computer Name;IP-Adresse;Farbe\nweb-1;10.0.0.1;4711\n'

  test('issue 9: other names are guessed, said by people, and remembered for these titles', async () => {
    const ctx = await tenant()
    const id = await ready(ctx, list)
    expect((await getImport(ctx, id)).preview?.columns?.map(({ column }) => column)).toEqual([
      'hostname',
      'ipAddress',
      null,
    ])
    await checkImport(ctx, id, { columns: ['name', 'ipAddress', 'tags'] })
    expect((await work(ctx, id)).preview).toMatchObject({ rows: 1, sample: [{ name: 'web-1' }] })
    await startImport(ctx, id)
    await work(ctx, id)
    expect((await listAssets(ctx, PAGE)).items).toMatchObject([{ name: 'web-1', tags: ['4711'] }])
    const again = await ready(ctx, list.replace('web-1', 'web-2'))
    expect((await getImport(ctx, again)).preview?.columns?.map(({ column }) => column)).toEqual([
      'name',
      'ipAddress',
      'tags',
    ])
    const theirs = await tenant()
    const elsewhere = await ready(theirs, list)
    expect((await getImport(theirs, elsewhere)).preview?.columns?.[0]?.column).toBe('hostname')
  })

  test('that make no sense are told, and can be said anew', async () => {
    const ctx = await tenant()
    const id = await ready(ctx, 'a;b\n1;2\n')
    expect((await getImport(ctx, id)).preview?.problem?.message).toContain('names none of the columns')
    await expect(startImport(ctx, id)).rejects.toMatchObject({ status: 400 })
    await expect(checkImport(ctx, id, { columns: ['name'] })).rejects.toMatchObject({
      extras: { field: 'columns' },
    })
    await checkImport(ctx, id, { columns: ['name', 'name'] })
    expect((await work(ctx, id)).preview?.problem?.message).toContain('stands twice')
    await checkImport(ctx, id, { columns: ['name', null] })
    expect((await work(ctx, id)).preview).toMatchObject({ rows: 1 })
  })
})

test('issue 9: a list of software shows its components, and goes to the host that a person names', async () => {
  const ctx = await tenant()
  const id = await ready(ctx, 'bash-4.4.20-4.el8_6.x86_64\nopenssl-1.1.1k-12.el8_9.x86_64\n')
  expect(await getImport(ctx, id)).toMatchObject({
    format: 'rpm-list',
    preview: { isDocument: true, rows: 2, sample: [{ name: 'bash', version: '4.4.20-4.el8_6' }, {}] },
  })
  await expect(startImport(ctx, id)).rejects.toMatchObject({ extras: { field: 'host' } })
  await startImport(ctx, id, { host: 'web-1', os: 'rocky:8.9' })
  expect(await work(ctx, id)).toMatchObject({ status: 'completed', observed: 1, created: 1 })
})

test('what is no file of any kind is told before anything is written', async () => {
  const ctx = await tenant()
  const { preview, status } = await getImport(ctx, await ready(ctx, Buffer.from([0, 1, 2, 3])))
  expect([status, preview?.problem?.field]).toEqual(['ready', 'header'])
})

test('things of other tenants are not there', async () => {
  const [mine, theirs] = [await tenant(), await tenant()]
  const id = await ready(theirs, rows(1))
  for (const act of [getImport, startImport, cancelImport])
    await expect(act(mine, id)).rejects.toMatchObject({ status: 404 })
  await expect(checkImport(mine, id, {})).rejects.toMatchObject({ status: 404 })
  await workOnImport(mine, { importId: id }, NEVER)
  expect(await getImport(theirs, id)).toMatchObject({ status: 'ready' })
})
