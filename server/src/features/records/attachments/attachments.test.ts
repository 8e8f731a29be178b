import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteAsset, listAssets } from '#features/assets/assets.ts'
import { mergeAssets, unlinkObservations } from '#features/assets/editing/merge-and-unlink.ts'
import { csv, observationIds, seen } from '#features/assets/observations.fixture.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { listChanges } from '#features/changes/changes.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { beforeTransaction } from '#test/support/app/before-transaction.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { deleteContract, saveContract } from '../entitlements/entitlements.ts'
import { attached } from './attachments.fixture.ts'
import {
  deleteAttachment,
  FILE_BYTES_MAX,
  FILES_MAX,
  getAttachment,
  listAttachments,
  readAttachment,
  TENANT_BYTES_MAX,
} from './attachments.ts'

const shared = sharedTestApp()
let ctx: Ctx
let alpha: string
let beta: string
beforeEach(async () => {
  ctx = await shared().newTenant()
  await submit(ctx, csv, [
    seen('1', { serial: 'PF0AAA11' }, { name: 'alpha' }),
    seen('2', { serial: 'PF0BBB22' }, { name: 'beta' }),
  ])
  const { items } = await listAssets(ctx, { limit: 10, offset: 0 })
  ;[alpha, beta] = ['alpha', 'beta'].map((name) => items.find((it) => it.name === name)?.id ?? '') as [
    string,
    string,
  ]
})

const namesOf = async (assetId: string) => (await listAttachments(ctx, { assetId })).map(({ name }) => name)

describe('a file', () => {
  test('is stored in chunks and read as it was, with its type and digest, audited and told', async () => {
    const content = Buffer.alloc(2_500_000, 'a line of text\n')
    const added = await attached(
      ctx,
      { assetId: alpha },
      { name: 'notes.html', bytes: content.length, content: Readable.from([content]) },
    )
    const digest = createHash('sha256').update(content).digest('hex')
    expect(added).toMatchObject({
      name: 'notes.html',
      bytes: content.length,
      received: content.length,
      mediaType: 'text/plain; charset=utf-8',
      digest,
    })
    expect(await listAttachments(ctx, { assetId: alpha })).toEqual([added])
    expect((await buffer((await readAttachment(ctx, added.id)).content)).equals(content)).toBe(true)
    const { items } = await searchAudit(ctx, { limit: 1, offset: 0 })
    expect(items[0]).toMatchObject({ action: 'attachment.added', details: { name: 'notes.html', digest } })
    await deleteAttachment(ctx, added.id)
    expect(await namesOf(alpha)).toEqual([])
    const changes = await listChanges(
      ctx,
      { limit: 50, offset: 0 },
      { assetId: alpha, kinds: ['field_changed'] },
    )
    expect(changes.items).toMatchObject([
      { subject: 'attachment', before: null, after: 'notes.html' },
      { subject: 'attachment', before: 'notes.html', after: null },
    ])
  })

  test('comes in parts, goes on where it was, and is not there before its end', async () => {
    const part = (at: number, text: string) =>
      attached(ctx, { assetId: alpha }, { key: 'k', name: 'a.txt', bytes: 6, at, text })
    const begun = await part(0, 'ab')
    expect(begun).toMatchObject({ received: 2, digest: null, mediaType: null })
    expect(await namesOf(alpha)).toEqual([])
    await expect(getAttachment(ctx, begun.id)).rejects.toThrow('not found')
    await expect(part(4, 'ef')).rejects.toMatchObject({ status: 409, extras: { body: { received: 2 } } })
    expect(await part(0, 'abcd')).toMatchObject({ id: begun.id, received: 4 })
    await expect(part(4, 'efg')).rejects.toMatchObject({ status: 409 })
    expect(await part(4, 'ef')).toMatchObject({ received: 6, digest: expect.any(String) })
    expect((await buffer((await readAttachment(ctx, begun.id)).content)).toString()).toBe('abcdef')
    expect(await part(0, 'abcdef')).toMatchObject({ id: begun.id, received: 6 })
    expect(await namesOf(alpha)).toEqual(['a.txt'])
  })

  test.each([
    [{ name: ' ' }, 400, 'name: '],
    [{ text: '' }, 400, 'file: is empty'],
    [{ bytes: FILE_BYTES_MAX + 1 }, 400, 'bytes: '],
    [{ at: Number.NaN }, 400, 'at: '],
    [{ key: '' }, 400, 'key: '],
    [{ text: 'longer', bytes: 2 }, 409, 'longer than its 2 bytes'],
  ])('%j is refused', async (upload, status, message) => {
    await expect(attached(ctx, { assetId: alpha }, upload)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    })
  })

  test('is refused when there is no room, of the asset or of the organisation', async () => {
    const fill = (n: number, bytes: number) =>
      ctx.db.run(sql`
        insert into attachments (tenant_id, id, upload_key, asset_id, name, bytes, received, media_type, digest,
          added_by, added_at)
        select ${ctx.tenantId}, gen_random_uuid(), 'key ' || n, ${beta}, 'a', ${bytes}, ${bytes}, 'text/plain', '00',
          'x', ${ctx.now()}
        from generate_series(1, ${n}) n`)
    await fill(FILES_MAX, 1)
    await expect(attached(ctx, { assetId: beta })).rejects.toThrow(`${FILES_MAX} files already`)
    await attached(ctx, { assetId: alpha })
    await ctx.db.run(sql`delete from attachments where tenant_id = ${ctx.tenantId}`)
    await fill(1, TENANT_BYTES_MAX)
    await expect(attached(ctx, { assetId: alpha })).rejects.toThrow('of 2000000000 bytes already')
  })

  test('finds room where uploads of the asset were cut off', async () => {
    await ctx.db.run(sql`
      insert into attachments (tenant_id, id, upload_key, asset_id, name, bytes, added_by, added_at)
      select ${ctx.tenantId}, gen_random_uuid(), 'key ' || n, ${beta}, 'a', 1, 'x', ${ctx.now()}
      from generate_series(1, ${FILES_MAX}) n`)
    const { id } = await attached(ctx, { assetId: beta })
    expect(await listAttachments(ctx, { assetId: beta })).toMatchObject([{ id }])
  })

  test('with the key of a file of another asset is refused, and says nothing about that file', async () => {
    const upload = { key: 'manual.pdf', name: 'manual.pdf' }
    const first = await attached(ctx, { assetId: alpha }, upload)
    for (const actor of [ctx, ctx.conditions.limit(ctx, `id = ${beta}`)])
      await expect(attached(actor, { assetId: beta }, upload)).rejects.toMatchObject({ status: 409 })
    const { id: contractId } = await saveContract(ctx, { name: 'Support' })
    await expect(attached(ctx, { contractId }, upload)).rejects.toMatchObject({ status: 409 })
    expect(await attached(ctx, { assetId: alpha.toUpperCase() }, upload)).toEqual(first)
    expect(await namesOf(beta)).toEqual([])
  })

  test('that did not arrive within a day makes room when the next one begins', async () => {
    const { id } = await attached(ctx, { assetId: alpha }, { bytes: 5, text: 'ab' })
    const tomorrow = { ...ctx, now: () => new Date(ctx.now().getTime() + 86_500_000) }
    await attached(tomorrow, { assetId: alpha })
    expect(
      await ctx.db.all(sql`select from attachments where tenant_id = ${ctx.tenantId} and id = ${id}`),
    ).toEqual([])
  })
})

describe('what files are attached to', () => {
  test('may be a contract, with which they go', async () => {
    const { id: contractId } = await saveContract(ctx, { name: 'Support' })
    const { id } = await attached(ctx, { contractId })
    expect(await listAttachments(ctx, { contractId })).toMatchObject([{ id, contractId, assetId: null }])
    await deleteContract(ctx, contractId)
    await expect(getAttachment(ctx, id)).rejects.toThrow('not found')
  })

  test('is one of the two, and there', async () => {
    await expect(attached(ctx, {})).rejects.toThrow('assetId: ')
    for (const target of [{ assetId: ctx.tenantId }, { contractId: ctx.tenantId }, { contractId: 'x' }]) {
      await expect(attached(ctx, target)).rejects.toThrow('not found')
      await expect(listAttachments(ctx, target)).rejects.toThrow('not found')
    }
  })

  test('may be merged and split: the files stay with the survivor', async () => {
    await attached(ctx, { assetId: alpha }, { name: 'one.txt' })
    const unfinished = await attached(
      ctx,
      { assetId: beta },
      { name: 'two.txt', key: 'k', bytes: 2, text: 'a' },
    )
    const survivor = await mergeAssets(ctx, { assetIdA: alpha, assetIdB: beta, reason: '' })
    const target = { assetId: survivor.id }
    await attached(ctx, target, { name: 'two.txt', key: 'k', bytes: 2, at: 1, text: 'b' })
    expect((await listAttachments(ctx, target)).map(({ id }) => id)).toContain(unfinished.id)
    const observation = (await observationIds(ctx))[survivor.id === alpha ? '2' : '1'] ?? ''
    await unlinkObservations(ctx, { assetId: survivor.id, observationIds: [observation], reason: '' })
    expect((await namesOf(survivor.id)).toSorted()).toEqual(['one.txt', 'two.txt'])
  })

  test('may be deleted, with its files', async () => {
    const { id } = await attached(ctx, { assetId: alpha })
    await deleteAsset(ctx, alpha)
    await expect(readAttachment(ctx, id)).rejects.toThrow('not found')
    expect(await ctx.db.all(sql`select from attachment_chunks where tenant_id = ${ctx.tenantId}`)).toEqual([])
  })

  test('may be deleted or merged away while an upload begins: no file is left without an asset', async () => {
    const files = () => ctx.db.all(sql`select from attachments where tenant_id = ${ctx.tenantId}`)
    const merged = beforeTransaction(ctx, () =>
      mergeAssets(ctx, { assetIdA: alpha, assetIdB: beta, reason: '' }),
    )
    const results = await Promise.allSettled([attached(merged, { assetId: beta })])
    const [survivor] = (await listAssets(ctx, { limit: 1, offset: 0 })).items
    expect(results).toMatchObject([survivor?.id === beta ? {} : { reason: { status: 404 } }])
    const deleted = beforeTransaction(ctx, () => deleteAsset(ctx, survivor?.id ?? ''))
    await expect(attached(deleted, { assetId: survivor?.id })).rejects.toMatchObject({ status: 404 })
    expect(await files()).toEqual([])
  })

  test('may be deleted while the transaction of an upload is open: the file goes too', async () => {
    const isHeldBack = async () =>
      (
        await ctx.db.all(sql`
        select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where a.datname = current_database() and not l.granted`)
      ).length > 0
    let deleting: Promise<unknown> | undefined
    await atomically(ctx, async (inner) => {
      await attached(inner, { assetId: alpha })
      deleting = deleteAsset(ctx, alpha)
      await Promise.race([deleting, vi.waitUntil(isHeldBack)])
    })
    await deleting
    expect(await ctx.db.all(sql`select from attachments where tenant_id = ${ctx.tenantId}`)).toEqual([])
  })
})

test('of assets that a limited person does not see nothing is read, added or deleted', async () => {
  const { id: contractId } = await saveContract(ctx, { name: 'Support' })
  const [seen, unseen, ofContract] = [
    await attached(ctx, { assetId: alpha }),
    await attached(ctx, { assetId: beta }),
    await attached(ctx, { contractId }),
  ]
  const limited = ctx.conditions.limit(ctx, `id = ${alpha}`)
  expect(await listAttachments(limited, { assetId: alpha })).toMatchObject([{ id: seen.id }])
  for (const { id } of [unseen, ofContract]) {
    await expect(readAttachment(limited, id)).rejects.toThrow('not found')
    await expect(deleteAttachment(limited, id)).rejects.toThrow('not found')
  }
  await expect(attached(limited, { assetId: beta })).rejects.toThrow('not found')
  await expect(attached(limited, { contractId })).rejects.toMatchObject({ status: 403 })
  const mine = await attached(limited, { assetId: alpha }, { name: 'b.txt', text: 'both' })
  expect((await buffer((await readAttachment(limited, mine.id)).content)).toString()).toBe('both')
  await deleteAttachment(limited, mine.id)
})

test('of another tenant nothing is read or deleted', async () => {
  const { id } = await attached(ctx, { assetId: alpha })
  const other = await shared().newTenant()
  await expect(readAttachment(other, id)).rejects.toThrow('not found')
  await expect(deleteAttachment(other, id)).rejects.toThrow('not found')
  await expect(listAttachments(other, { assetId: alpha })).rejects.toThrow('not found')
})

describe('a file of a control', () => {
  const control = 'nist-csf-2.0 GV.PO-01'

  test('is for those who see compliance, and stands in the log of the control', async () => {
    const added = await attached(ctx, { control }, { name: 'minutes.txt', text: 'approved' })
    expect(await listAttachments(ctx, { control })).toMatchObject([{ id: added.id, control, assetId: null }])
    expect(await listAttachments(ctx, { control: 'nist-csf-2.0 GV.PO-02' })).toEqual([])
    const [entry] = (await searchAudit(ctx, { limit: 1, offset: 0 })).items
    expect(entry).toMatchObject({
      action: 'attachment.added',
      subject: { type: 'compliance_control', id: control },
    })
    const may = (permission: string) => permission.startsWith('assets:')
    const other: Ctx = { ...ctx, actor: { kind: 'user', id: 'u', may } }
    await expect(getAttachment(other, added.id)).rejects.toThrow('permission required: compliance:read')
    await expect(deleteAttachment(other, added.id)).rejects.toThrow('permission required: compliance:write')
    await expect(attached(other, { control })).rejects.toThrow('permission required: compliance:write')
    await deleteAttachment(ctx, added.id)
    expect(await listAttachments(ctx, { control })).toEqual([])
  })

  test.each(['', 'GV.PO-01', 'a b c', 'nist-csf-2.0 '])('named %j is refused', async (name) => {
    await expect(attached(ctx, { control: name })).rejects.toThrow('control: must be such as')
  })
})
