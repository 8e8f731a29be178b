import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { listSources, submit } from '#features/sources/sources.ts'
import { Refusal } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { importFile, type FileToImport } from './import-file.ts'

const file = (text: string, more: Partial<FileToImport> = {}): FileToImport => ({
  name: 'things.csv',
  content: (async function* () {
    yield Buffer.from(text)
  })(),
  ...more,
})

interface AssetView {
  id: string
  name: string
  observations: number
}
const assetsOf = (ctx: Ctx): Promise<AssetView[]> =>
  ctx.db.all(sql<AssetView>`
    select id, name, (select count(*) from asset_observations o where o.tenant_id = a.tenant_id and o.asset_id = a.id)
      as observations
    from assets a where tenant_id = ${ctx.tenantId} order by name`)

describe('a CSV file', () => {
  const table =
    'name,serial,macAddress,ipAddress\nweb-1,SN-00001,,10.0.0.1\nweb-2,,00:1b:21:00:00:02,\nweb-3,,,10.0.0.3\n'

  test('makes assets once, and says nothing new the second time', async () => {
    const ctx = await (await testApp()).newTenant()
    expect(await importFile(ctx, file(table))).toEqual({
      observed: 3,
      created: 3,
      updated: 0,
      unchanged: 0,
      rejected: [],
      rejectedTotal: 0,
    })
    expect(await importFile(ctx, file(table))).toEqual({
      observed: 3,
      created: 0,
      updated: 0,
      unchanged: 3,
      rejected: [],
      rejectedTotal: 0,
    })
    expect(await listSources(ctx)).toMatchObject([{ kind: 'csv', name: 'CSV import' }])
  })

  test('goes in without its bad rows, which are listed in order by whoever refused them', async () => {
    const ctx = await (await testApp()).newTenant()
    const text =
      'name,assetType,ipAddress\na,Server,10.0.0.1\nb,device,10.0.0.300\nc,device,10.0.0.3\nd\ne,Box,\n'
    const { rejected, ...counts } = await importFile(ctx, file(text))
    expect(counts).toEqual({ observed: 1, created: 1, updated: 0, unchanged: 0, rejectedTotal: 4 })
    expect(rejected).toMatchObject([
      { line: 2, field: 'assetType', message: expect.stringContaining('is none of device') },
      { line: 3, field: 'ipAddress' },
      { line: 5, field: 'row' },
      { line: 6, field: 'assetType' },
    ])
    expect(await searchAudit(ctx, { limit: 1, offset: 0 })).toMatchObject({
      items: [
        {
          action: 'import.finished',
          subject: { type: 'import', id: expect.any(String) },
          details: {
            file: 'things.csv',
            format: 'csv',
            observed: 1,
            created: 1,
            updated: 0,
            unchanged: 0,
            rejected: 4,
          },
        },
      ],
    })
  })

  test('that was exported, edited and brought back changes the same assets', async () => {
    const ctx = await (await testApp()).newTenant()
    await importFile(ctx, file('serial,name\nSN-00001,old name\n'))
    const [asset] = await assetsOf(ctx)
    const exported = `id,name,tags\n${asset!.id},new name,a;b\n`
    expect(await importFile(ctx, file(exported))).toMatchObject({ created: 0, updated: 1 })
    expect(await importFile(ctx, file(exported))).toMatchObject({ updated: 0, unchanged: 1 })
    expect(await assetsOf(ctx)).toEqual([{ id: asset!.id, name: 'new name', observations: 2 }])
  })

  test('of another tenant makes new assets, the same ones each time', async () => {
    const { newTenant } = await testApp()
    const [mine, theirs] = [await newTenant(), await newTenant()]
    await importFile(mine, file('name\nprinter\n'))
    const [asset] = await assetsOf(mine)
    const exported = `id,name\n${asset!.id},printer\n`
    expect(await importFile(theirs, file(exported))).toMatchObject({ created: 1 })
    expect(await importFile(theirs, file(exported))).toMatchObject({ created: 0, unchanged: 1 })
    expect((await assetsOf(theirs))[0]!.id).not.toBe(asset!.id)
  })

  test('of more rows than a batch keeps its lines', async () => {
    const ctx = await (await testApp()).newTenant()
    const rows = Array.from({ length: 2_500 }, (_, i) =>
      i % 1_000 === 7 ? 'bad,not-an-address' : `pc-${i},`,
    )
    const { rejected, ...counts } = await importFile(ctx, file(`name,ipAddress\n${rows.join('\n')}\n`))
    expect(counts).toEqual({ observed: 2_497, created: 2_497, updated: 0, unchanged: 0, rejectedTotal: 3 })
    expect(rejected.map((each) => each.line)).toEqual([9, 1_009, 2_009])
  })
})

describe('an nmap XML file', () => {
  const xml = (hosts: string) => `<nmaprun scanner="nmap" start="1771000000">${hosts}</nmaprun>`
  const host = (ip: string, mac: string) =>
    `<host><status state="up"/><address addr="${ip}" addrtype="ipv4"/><address addr="${mac}" addrtype="mac"/></host>\n`

  test('meets what another source saw at that time, and is one asset with it', async () => {
    const ctx = await (await testApp()).newTenant()
    const identifiers = [
      { type: 'mac', value: '3C-2A-F4-12-34-56' },
      { type: 'ip', value: '10.77.0.70' },
    ] as const
    await submit(ctx, { kind: 'sweep', name: 'office' }, [
      { sourceKey: '10.77.0.70', seenAt: new Date(1_771_000_100_000), identifiers },
    ])
    expect(await importFile(ctx, file(xml(host('10.77.0.70', '3C:2A:F4:12:34:56'))))).toMatchObject({
      created: 0,
      unchanged: 1,
    })
    expect(await assetsOf(ctx)).toMatchObject([{ observations: 2 }])
  })

  test('names what of a host was not taken', async () => {
    const ctx = await (await testApp()).newTenant()
    const text = xml(host('10.0.0.1', '00:1b:21:00:00:01') + host('10.0.0.2', '00:1b:21'))
    expect(await importFile(ctx, file(text))).toMatchObject({
      created: 1,
      rejected: [{ line: 2, field: 'mac', message: expect.stringContaining('MAC') }],
    })
  })
})

describe('is refused', () => {
  test('without the permission', async () => {
    const ctx = await (await testApp()).newTenant()
    const guest: Ctx = { ...ctx, actor: { kind: 'user', id: 'u', may: () => false } }
    await expect(importFile(guest, file('name\na\n'))).rejects.toThrow('permission required: imports:write')
  })

  test('in a format that is none, or that it does not have', async () => {
    const ctx = await (await testApp()).newTenant()
    await expect(importFile(ctx, file('name\na\n', { format: 'xlsx' }))).rejects.toThrow(
      'format: is none of csv, nmap-xml',
    )
    await expect(importFile(ctx, file('name\na\n', { format: 'nmap-xml' }))).rejects.toThrow(Refusal)
    await expect(importFile(ctx, file('<html></html>'))).rejects.toThrow('has no <nmaprun>')
    await expect(importFile(ctx, file('first,second\na,b\n'))).rejects.toThrow(
      'unknown columns: "first", "second"',
    )
    expect(await listSources(ctx)).toEqual([])
  })
})
