import { beforeAll, expect, test } from 'vitest'
import { exportStatement } from '#features/reports/statements/export-statement.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { adoptFramework, explainControl } from '../compliance.ts'
import { draftStatement } from '../statements/statements.ts'
import { importTexts, listTextImports, removeTexts } from './control-texts.ts'

const home = sharedTestApp()
const SOC = 'soc-2'
const rows = 'ID,Title,Text\r\nCC1.1,The licensed title,"Two lines,\nas printed"\r\n\r\nCC1.2,Another,\r\n'
let ctx: Ctx
let other: Ctx

beforeAll(async () => {
  ctx = await home().newTenant()
  other = await home().newTenant()
})

const detail = async (of: Ctx, id = 'CC1.1') => {
  const { title, text, licensedTitle } = await explainControl(of, SOC, id)
  return { title, text, licensedTitle }
}

test('an imported text is shown to its organisation and to no other', async () => {
  expect(await importTexts(ctx, { framework: SOC, rows, isExported: false })).toBe(2)
  const own = 'Integrity is lived and expected'
  expect(await detail(ctx)).toEqual({
    title: own,
    text: 'Two lines,\nas printed',
    licensedTitle: 'The licensed title',
  })
  expect(await detail(ctx, 'CC1.2')).toMatchObject({ text: null, licensedTitle: 'Another' })
  expect(await detail(other)).toEqual({ title: own, text: null, licensedTitle: null })
  expect(await listTextImports(other)).toEqual([])
  expect(await listTextImports(ctx)).toMatchObject([{ framework: SOC, isExported: false, controls: 2 }])
})

test('it stands in files of statements where the licence allows that, and in no OSCAL', async () => {
  await adoptFramework(ctx, SOC)
  const { id } = await draftStatement(ctx, SOC)
  const file = async (format: 'csv' | 'oscal') => (await exportStatement(ctx, id, format)).content.toString()
  expect(await file('csv')).not.toContain('licensed title')
  await importTexts(ctx, { framework: SOC, rows, isExported: true })
  expect(await file('csv')).toContain('The licensed title')
  const oscal = await file('oscal')
  expect(oscal + Buffer.from(oscal, 'base64').toString()).not.toContain('licensed title')
  await removeTexts(ctx, SOC)
  expect(await file('csv')).not.toContain('licensed title')
  await expect(removeTexts(ctx, SOC)).rejects.toThrow('framework not found')
})

test('an OSCAL catalogue is imported as rows are', async () => {
  const controls = [{ id: 'CC1.1', title: 'As published', parts: [{ name: 'statement', prose: 'Do it.' }] }]
  const catalogue = JSON.stringify({ catalog: { controls } })
  expect(await importTexts(ctx, { framework: SOC, rows: catalogue, isExported: false })).toBe(1)
  expect(await detail(ctx)).toMatchObject({ text: 'Do it.', licensedTitle: 'As published' })
  await removeTexts(ctx, SOC)
})

test.each([
  ['{"catalog":{}}', 'at least one control'],
  ['{"catalog":{"controls":[{"id":"CC1.1"}]}}', 'control CC1.1: title must have'],
  ['', 'line 1: must name the columns id, title, text'],
  ['id,title\nCC1.1,t', 'line 1: must name the columns id, title, text'],
  ['id,title,text\nCC99,t,x', 'line 2: there is no control CC99 in soc-2'],
  ['id,title,text\nCC1.1,,x', 'line 2: title must have'],
  [`id,title,text\nCC1.1,t,${'x'.repeat(20_001)}`, 'line 2: text has more than 20000'],
  ['id,title,text\nCC1.1,t,x\nCC1.1,t,x', 'line 3: CC1.1 is there twice'],
  ['id,title,text\n', 'at least one control'],
])('rows %j are refused', async (text, why) => {
  await expect(importTexts(ctx, { framework: SOC, rows: text, isExported: true })).rejects.toThrow(why)
})
