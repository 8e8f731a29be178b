import { expect, test } from 'vitest'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seenWithinLimit } from '#test/support/seen-within-limit.ts'
import { listSoftware } from './software.ts'

const home = sharedTestApp()

test('who sees some assets sees what is installed on these, and how often there', async () => {
  const ctx = await home().newTenant()
  const report = (key: string, tags: string[], minute: number, ...names: string[]) =>
    seen(
      key,
      { serial: `SN-${key}` },
      {
        tags,
        minute,
        software: {
          release: { id: 'debian', versionId: '12', prettyName: 'Debian 12' },
          complete: ['dpkg'],
          items: names.map((name) => ({ origin: 'dpkg' as const, name, version: '1' })),
        },
      },
    )
  for (const minute of [0, 1])
    await submit(ctx, agent, [
      report('a', ['near'], minute, 'curl', ...(minute === 0 ? [] : ['bash'])),
      report('b', [], minute, 'curl', ...(minute === 0 ? [] : ['zsh', 'vim'])),
    ])
  const tables = ['software_sets', 'software_systems', 'software', 'software_changes']
  expect(await seenWithinLimit(ctx, tables)).toEqual({
    software_sets: '2 of 4',
    software_systems: '1 of 2',
    software: '3 of 5',
    software_changes: '1 of 3',
  })
  const installs = async (who: Ctx) =>
    (await listSoftware(who, { limit: 50, offset: 0 })).items
      .map(({ name, assets }) => `${name} ${assets}`)
      .toSorted()
  expect(await installs(ctx.conditions.limit(ctx, 'tag = near'))).toEqual(['bash 1', 'curl 1'])
  expect(await installs(ctx)).toEqual(['bash 1', 'curl 2', 'vim 1', 'zsh 1'])
})
