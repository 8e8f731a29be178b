import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { createFindings, findingOf } from './findings.fixture.ts'

const home = sharedTestApp()
const run = async (
  path: string,
  ctx: Ctx,
  args: Record<string, string>,
  options: Record<string, string | true>,
) => {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no ${path}`)
  return command.run(ctx, { args, options })
}

test('findings list tells the highest score first', async () => {
  const ctx = await home().newTenant()
  await createFindings(ctx, [{ score: 5 }, { cveId: 'CVE-2024-0002', score: 9.8 }])
  const { text } = await run('findings list', ctx, {}, {})
  expect(text.split('\n').map((line) => line.trim().slice(0, 3))).toEqual(['9.8', '5.0'])
  expect((await run('findings list', ctx, {}, { severity: 'critical', limit: '1' })).json).toMatchObject({
    total: 1,
  })
  expect((await run('findings list', ctx, {}, { status: 'resolved' })).text).toBe('Nothing.')
  for (const options of [{ severity: 'bad' }, { status: 'bad' }, { limit: '0' }])
    await expect(run('findings list', ctx, {}, options)).rejects.toThrow(/^(severity|status|limit):/)
})

test('findings explain tells record, rule and algorithm', async () => {
  const ctx = await home().newTenant()
  const id = await findingOf(ctx, await createFindings(ctx))
  const { text } = await run('findings explain', ctx, { id }, {})
  expect(text).toContain('debian CVE-2024-0001')
  expect(text).toContain('affected: before 3.0.2')
  expect(text).toContain('compared as dpkg')
})

test('findings explain tells what it is, on what, why, and since when', async () => {
  const ctx = await home().newTenant()
  const spec = { description: 'A flaw in reading.', score: 9.8 } as const
  const assetId = await createFindings(ctx, [spec])
  const id = await findingOf(ctx, assetId)
  const explain = async () => (await run('findings explain', ctx, { id }, {})).text.split('\n')
  const { name } = await getAsset(ctx, assetId)
  const [first, second, third, ...others] = await explain()
  expect(first).toBe(`CVE-2024-0001 on ${name} (${assetId})`)
  expect(second).toBe('open, critical 9.8, exact 0.99')
  expect(third).toBe('A flaw in reading.')
  expect(others.filter((line) => /^\S/.test(line))).toEqual(['Because:', 'So far:'])
  expect(others).toContainEqual(expect.stringMatching(/^ {2}lib\S+ 3\.0\.1: debian CVE-2024-0001$/))
  expect(others.at(-1)).toMatch(/^ {2}\S+Z {2}open {2}critical 9\.8 {2}\S/)
  expect(others.join('\n')).not.toContain('until')
})

test('findings that are no surer say so where they are listed and explained', async () => {
  const ctx = await home().newTenant()
  const assetId = await createFindings(ctx, [{ grade: 'heuristic', confidence: 0.4 }])
  const { text } = await run('findings explain', ctx, { id: await findingOf(ctx, assetId) }, {})
  expect(text.split('\n')[1]).toMatch(/^open, high 7\.5, heuristic 0\.4/)
})

test.each<[Record<string, string | true>, string[]]>([
  [{}, ['9.8', '7.5', '5.0']],
  [{ severity: 'high' }, ['7.5']],
  [{ cve: 'CVE-2024-0003' }, ['5.0']],
  [{ exploited: true }, ['7.5']],
  [{ where: 'severity in (critical, high)' }, ['9.8', '7.5']],
  [{ limit: '2' }, ['9.8', '7.5', '1 m']],
  [{ limit: '1000' }, ['9.8', '7.5', '5.0']],
])('findings list with %j', async (options, scores) => {
  const ctx = await home().newTenant()
  await createFindings(ctx, [
    { cveId: 'CVE-2024-0001', score: 9.8 },
    { cveId: 'CVE-2024-0002', score: 7.5, kev: '2024-01-01' },
    { cveId: 'CVE-2024-0003', score: 5 },
  ])
  const { text } = await run('findings list', ctx, {}, options)
  expect(text.split('\n').map((line) => line.trim().slice(0, 3))).toEqual(scores)
})

test('vex import names a file that is not there', async () => {
  const ctx = await home().newTenant()
  await expect(run('vex import', ctx, { file: '/nowhere.json' }, {})).rejects.toThrow(
    'file: /nowhere.json cannot be read',
  )
  expect((await run('vex export', ctx, {}, {})).json).toMatchObject({ statements: [] })
})
