import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createFindings } from '../findings.fixture.ts'
import { createOverride } from '../overrides/overrides.ts'
import { findingFile } from './finding-file.ts'

const home = sharedTestApp()
const [LOW, MIDDLE, HIGH] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']

test('the file has open findings, or those that are asked for, in the order that is asked for', async () => {
  const ctx = await home().newTenant()
  await createFindings(ctx, [
    { cveId: LOW, score: 3.1 },
    { cveId: MIDDLE, score: 6.2 },
    { cveId: HIGH, score: 9.3 },
  ])
  await createOverride(ctx, { kind: 'accepted_risk', cveId: MIDDLE, reason: 'behind a proxy' })
  const cvesOf = async (query: Readonly<Record<string, string>>) => {
    const { file } = await findingFile.handle(ctx, { query, content: Readable.from([]) })
    const rows = parse(file?.content as string, { columns: true }) as { cveId: string }[]
    return rows.map(({ cveId }) => cveId)
  }
  expect(await cvesOf({ sort: 'cveId' })).toEqual([LOW, HIGH])
  expect(await cvesOf({ sort: '-cveId', where: ' ' })).toEqual([HIGH, LOW])
  expect(await cvesOf({ sort: '-cveId', where: 'has status' })).toEqual([HIGH, MIDDLE, LOW])
  expect(await cvesOf({ where: 'status = accepted' })).toEqual([MIDDLE])
  await expect(cvesOf({ sort: '-colour' })).rejects.toMatchObject({ status: 400, extras: { field: 'sort' } })
})
