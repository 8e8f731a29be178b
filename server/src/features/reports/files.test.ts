import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { believed, headersOf, inTenant } from '#test/support/http/graphql-client.ts'
import { addDevices, bytesOf, generated, latest, work } from './reports.fixture.ts'
import { runReport } from './reports.ts'

const app = sharedTestApp({ contextOf: believed })

test('the file of the latest snapshot, or of the one that is named, with its name', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1')
  const { report, file } = await generated(ctx, { name: 'Stock-take', type: 'asset_audit' })
  const first = await latest(ctx, report.id)
  await addDevices(ctx, 'web-2')
  await runReport(ctx, report.id)
  await work(ctx, report.id)
  const get = async (query: string) => {
    const url = `${await app().address()}${inTenant('/files/report')}?${query}`
    const answer = await fetch(url, { headers: headersOf(ctx) })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const newest = await get(`id=${report.id}`)
  expect(newest.status).toBe(200)
  expect(newest.bytes.equals(await bytesOf(ctx, report.id))).toBe(true)
  const { fileName } = await latest(ctx, report.id)
  expect(newest.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`)
  const named = await get(`id=${report.id}&snapshot=${first.id}`)
  expect(named.bytes.equals(file)).toBe(true)
  expect(named.bytes.equals(newest.bytes)).toBe(false)
  for (const [query, field] of [
    [`id=${report.id}&other=x`, 'other'],
    ['', 'id'],
    [`id=${report.id}&id=x`, 'id'],
    [`id=${report.id}&snapshot=a&snapshot=b`, 'snapshot'],
  ] as const) {
    const { status, bytes } = await get(query)
    expect([status, bytes.toString()]).toEqual([400, expect.stringContaining(`${field}: `)])
  }
})
