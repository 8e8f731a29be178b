import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import { importFile } from './import-file.ts'

const RANGE = '10.78.0.0/24'
const SHELF = Array.from({ length: 36 }, (_, i) => `10.78.0.${10 + i}`)
const SINGLES = ['10.78.0.100', '10.78.0.101', '10.78.0.102']
/** The scanner sees itself too, without a MAC. */
const HOSTS = SHELF.length + SINGLES.length + 1

needs(
  'root',
  'ip',
  'nmap',
)('what nmap writes', () => {
  let lab: NetworkLab
  beforeAll(async () => {
    const machines = Object.fromEntries(SINGLES.map((address, i) => [`single${i}`, [address]]))
    lab = await networkLab({ scanner: '10.78.0.1/24', machines: { shelf: SHELF, ...machines } })
    const serve = `require('node:http').createServer((_, to) => to.end()).listen(80)`
    await lab.serve('shelf', ['tcp 80'], [process.execPath, '-e', serve])
  }, 60_000)
  afterAll(() => lab?.close())

  const importFrom = async (ctx: Ctx, name: string, ...args: string[]) => {
    const path = join(lab.folder, name)
    await lab.run('scanner', 'nmap', '-n', ...args, '-oX', path, RANGE)
    return importFile(ctx, { name, content: createReadStream(path) })
  }
  const assets = (ctx: Ctx) =>
    ctx.db.one(sql<{ n: number }>`select count(*) as n from assets where tenant_id = ${ctx.tenantId}`)

  test('is the assets that the sweep found, not twice, however often and however deep it looks', async () => {
    const ctx = await (await testApp()).newTenant()
    const { seen } = await lab.sweep(RANGE)
    const observations = seen.map((each) => ({ ...each, seenAt: new Date(each.seenAt) }))
    await submit(ctx, { kind: 'sweep', name: 'lab' }, observations)
    const before = await assets(ctx)
    const hosts = await importFrom(ctx, 'hosts.xml', '-sn')
    expect(hosts).toMatchObject({ observed: HOSTS, rejected: [] })
    expect(hosts.created).toBe(HOSTS - before.n)
    expect(await importFrom(ctx, 'services.xml', '-sV', '-p', '22,80')).toMatchObject({
      observed: HOSTS,
      created: 0,
    })
    expect(await assets(ctx)).toEqual({ n: HOSTS })
  }, 120_000)

  test('when it is stopped half-way is the hosts that it had finished', async () => {
    const ctx = await (await testApp()).newTenant()
    const path = join(lab.folder, 'cut.xml')
    await lab.run('scanner', 'nmap', '-n', '-sn', '-oX', path, RANGE)
    const whole = createReadStream(path, { end: 3_000 })
    const { observed, rejected } = await importFile(ctx, { name: 'cut.xml', content: whole })
    expect(observed).toBeGreaterThan(3)
    expect(rejected).toMatchObject([{ field: 'nmaprun', message: expect.stringContaining('it was cut off') }])
  }, 60_000)
})
