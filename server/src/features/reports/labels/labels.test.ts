import { inflateSync } from 'node:zlib'
import { buffer, text } from 'node:stream/consumers'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { listAssets } from '#features/assets/assets.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { labelCommands } from './cli.ts'
import { LABELS_PER_PAGE } from './label-sheet.ts'
import { assetLabel, labelSheet } from './labels.ts'
import { qrPng } from './qr-image.ts'

const home = sharedTestApp()
const URL_TEXT = 'https://rollcall.example.org/t/acme/assets/0198'

test('the PNG has the squares of the code, eight pixels each, in a quiet zone of four', () => {
  const png = qrPng(URL_TEXT)
  const { data, size } = encode(URL_TEXT, { ecc: 'M', border: 0 })
  const side = (size + 8) * 8
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([side, side])
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  const perRow = 1 + Math.ceil(side / 8)
  const isDark = (x: number, y: number) => ((rows[y * perRow + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0
  const read = data.map((row, y) => row.map((_, x) => isDark((x + 4) * 8 + 3, (y + 4) * 8 + 5)))
  expect(read).toEqual(data)
  expect([isDark(31, 31), isDark(32, 32), isDark(side - 1, side - 1)]).toEqual([false, true, false])
})

test('labels lead to the page of the asset; sheets hold those that are meant', async () => {
  const ctx = await home().newTenant()
  const names = Array.from({ length: LABELS_PER_PAGE + 1 }, (_, at) => `pc-${at}`)
  await submit(
    ctx,
    { kind: 'csv', name: 'machines' },
    names.map((name, at) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      name,
      identifiers: [{ type: 'serial', value: `LABEL-4711-${at}` }],
    })),
  )
  const { items } = await listAssets(ctx, { limit: 100, offset: 0 })
  const asset = items[0]
  const svg = await assetLabel(ctx, asset?.id ?? '', 'svg')
  expect(svg).toMatchObject({ fileName: `label-${asset?.id}.svg`, mediaType: 'image/svg+xml' })
  expect(await text(svg.content)).toMatch(/^<svg /)
  const pdf = await buffer((await labelSheet(ctx, { where: 'name: pc' })).content)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const one = await buffer((await labelSheet(ctx, { assetIds: [asset?.id ?? ''] })).content)
  expect(one.length).toBeLessThan(pdf.length)
  const command = labelCommands.find(({ path }) => path === 'asset label')
  const input = { args: { id: asset?.id ?? '' }, options: {} }
  expect(await command?.tenantOf?.(home().runtime.system, input)).toBe(ctx.tenantId)
  const other = await home().newTenant()
  await expect(assetLabel(other, asset?.id ?? '', 'png')).rejects.toThrow('not found')
  await expect(labelSheet(other, { assetIds: [asset?.id ?? ''] })).rejects.toThrow('ids: means no asset')
})

test.each([
  [{}, 'where'],
  [{ where: 'name: a', assetIds: [] }, 'where'],
  [{ where: 'nome = a' }, 'where'],
  [{ where: 'name = nobody' }, 'where'],
  [{ assetIds: ['x'] }, 'ids'],
])('%j is refused for its %s', async (wanted, field) => {
  const ctx = await home().newTenant()
  await expect(labelSheet(ctx, wanted)).rejects.toThrow(new RegExp(`^${field}:`))
})
