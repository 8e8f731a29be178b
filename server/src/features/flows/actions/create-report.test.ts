import { expect, test } from 'vitest'
import { getReport } from '#features/reports/reports.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newAsset } from '../flows.fixture.ts'
import { createReportAction } from './create-report.ts'

const home = sharedTestApp()

test('a report is about the asset that started the flow, or about all where that is said or nothing started it', async () => {
  const ctx = await home().newTenant()
  const assetId = await newAsset(ctx, 'print-1')
  const given = { name: 'Today', type: 'asset_audit', format: 'csv' }
  const assetsOf = async (settings: Readonly<Record<string, unknown>>, context: object) => {
    const { reportId } = (await createReportAction.run(ctx, settings, context as never)) as {
      reportId: string
    }
    const { name, type, format, filter } = await getReport(ctx, reportId)
    expect({ name, type, format }).toEqual(given)
    return filter.assetIds
  }
  expect(await assetsOf(given, { assetId })).toEqual([assetId])
  expect(await assetsOf({ ...given, allAssets: false }, { assetId })).toEqual([assetId])
  expect(await assetsOf({ ...given, allAssets: true }, { assetId })).toBeUndefined()
  expect(await assetsOf(given, {})).toBeUndefined()
})
