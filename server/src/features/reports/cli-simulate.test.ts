import { expect, test } from 'vitest'
import {
  createAsset,
  createMatches,
  createSoftware,
  install,
  sync,
} from '#features/vulnerabilities/findings.fixture.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { simulateCommands } from './cli-simulate.ts'
import { getReport } from './reports.ts'

const app = sharedTestApp()

interface Simulated {
  readonly change: object
  readonly measures: readonly { readonly measure: string; readonly before: string; readonly after: string }[]
  readonly report_id: string | null
}

async function run(
  ctx: Ctx,
  path: string,
  args: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string>> = {},
) {
  const command = simulateCommands.find((it) => it.path === `simulate ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  const { json, text } = await command.run(ctx, { args, options })
  const { measures, ...others } = json as Simulated
  const told = Object.fromEntries(
    measures.map(({ measure, before, after }) => [measure, `${before} → ${after}`]),
  )
  return { ...others, told, lines: text.split('\n') }
}

/** Two assets with openssl and a finding each, and one without. */
async function estate() {
  const ctx = await app().newTenant()
  const software = await createSoftware(ctx, { origin: 'windows', ecosystem: '' })
  await createMatches(ctx, software, [{ score: 9.8 }])
  const ids = []
  for (const name of ['web-1', 'web-2', 'nas-1']) {
    const id = await createAsset(ctx, name)
    ids.push(id)
    if (name === 'nas-1') continue
    await install(ctx, id, [software], 'windows')
    await sync(ctx, id)
  }
  return { ctx, ids }
}

test('an update, a removal, a replacement and an end of systems are each told by what they would change', async () => {
  const { ctx, ids } = await estate()
  const software = 'openssl'
  const updated = await run(ctx, 'update', { software })
  expect(updated.told).toMatchObject({ Assets: '3 → 3', 'Open findings': '2 → 0' })
  expect(updated.report_id).toBeNull()
  expect((await run(ctx, 'update', { software }, { version: '3.0.1' })).told).toMatchObject({
    'Open findings': '2 → 2',
  })
  expect((await run(ctx, 'update', { software }, { where: 'name = web-1' })).told).toMatchObject({
    Assets: '1 → 1',
    'Open findings': '1 → 0',
  })
  const two = { asset: `${ids[0]}\n${ids[2]}` }
  expect((await run(ctx, 'retire-product', { software }, two)).told).toMatchObject({
    Assets: '2 → 2',
    'Open findings': '1 → 0',
  })
  const replaced = await run(ctx, 'replace', { day: '2027-06-30' })
  expect(replaced.told).toMatchObject({ 'Open findings': '2 → null' })
  expect(replaced.lines.find((line) => line.startsWith('Open findings'))).toMatch(/ {2}2 {2,}unknown/)
  await expect(run(ctx, 'replace', { day: 'soon' })).rejects.toMatchObject({ status: 400 })
  const retired = await run(ctx, 'retire-system', { system: 'Windows 10' })
  expect(retired.told).toMatchObject({ 'Open findings': '2 → 2' })
})

test('the measures stand in columns, each as wide as its widest cell', async () => {
  const { ctx } = await estate()
  const { lines, told } = await run(ctx, 'update', { software: 'openssl' })
  expect(lines).toHaveLength(1 + Object.keys(told).length)
  expect(lines[0]).toMatch(/^ +before +after +change$/)
  for (const column of ['before', 'after', 'change']) {
    const end = (lines[0]?.indexOf(column) ?? 0) + column.length
    const cells = lines.filter((line) => line.length >= end)
    expect(cells.map((line) => line.slice(end - 1, end + 1).trimEnd())).toEqual(
      cells.map((line) => line[end - 1]?.trim() ?? ''),
    )
  }
  const findings = lines.find((line) => line.startsWith('Open findings'))
  expect(findings).toMatch(/^Open findings {2,}2 {2,}0 {2,}-2/)
})

test('a simulation is saved as a report where one is named, as a PDF unless told otherwise', async () => {
  const { ctx } = await estate()
  const software = 'openssl'
  const saved = await run(ctx, 'update', { software }, { report: 'If we updated' })
  const id = saved.report_id ?? ''
  expect(saved.lines.at(-1)).toBe(`Report ${id} is being generated.`)
  expect(await getReport(ctx, id)).toMatchObject({
    name: 'If we updated',
    format: 'pdf',
    status: 'generating',
  })
  const csv = await run(ctx, 'update', { software }, { report: 'n', format: 'csv' })
  expect(await getReport(ctx, csv.report_id ?? '')).toMatchObject({ format: 'csv' })
  await expect(run(ctx, 'update', { software }, { format: 'csv' })).rejects.toMatchObject({
    status: 400,
    extras: { field: 'format' },
  })
})
