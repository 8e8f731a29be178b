import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { findingOf, createFindings } from './findings.fixture.ts'

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

test('vex import names a file that is not there', async () => {
  const ctx = await home().newTenant()
  await expect(run('vex import', ctx, { file: '/nowhere.json' }, {})).rejects.toThrow(
    'file: /nowhere.json cannot be read',
  )
  expect((await run('vex export', ctx, {}, {})).json).toMatchObject({ statements: [] })
})
