import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { listEndOfLife } from './lifecycles.ts'

const PAGE = { limit: 50, offset: 0 }
const bodies = [
  {
    product: 'debian',
    label: 'Debian',
    identifiers: [],
    releases: [
      { cycle: '10', label: '10', endsOn: '2022-09-10', isLongTerm: false },
      { cycle: '12', label: '12', endsOn: '2026-07-11', isLongTerm: false },
    ],
  },
  {
    product: 'firefox',
    label: 'Firefox',
    identifiers: [{ kind: 'cpe', id: 'cpe:2.3:a:mozilla:firefox' }],
    releases: [{ cycle: '115', label: '115', endsOn: '2025-09-16', isLongTerm: true }],
  },
]

test('what has ended and what soon will, systems and software, the earliest end first', async () => {
  const home = await testApp()
  const [ctx, other] = [await home.newTenant(), await home.newTenant()]
  for (const body of bodies) {
    await home.runtime.system.db.run(
      sql`insert into lifecycles (product, body) values (${body.product}, ${JSON.stringify(body)}::jsonb)`,
    )
  }
  const now = () => new Date('2026-05-01T12:00:00Z')
  const debian = (versionId: string) => ({
    id: 'debian',
    versionId,
    prettyName: `Debian GNU/Linux ${versionId}`,
  })
  const firefox = {
    origin: 'windows' as const,
    name: 'Mozilla Firefox (x64 en-US)',
    version: '115.9.0',
    vendor: 'Mozilla',
  }
  const report = (key: string, versionId: string) =>
    seen(
      key,
      { serial: `SN-${key}` },
      { software: { release: debian(versionId), complete: ['windows'], items: [firefox] } },
    )
  await submit(ctx, agent, [report('a', '10'), report('b', '12'), report('c', '12')])
  const at = { ...ctx, now }
  const listed = async (withinDays: number) =>
    (await listEndOfLife(at, PAGE, withinDays)).items.map((it) => [
      it.kind,
      it.name,
      it.endsOn,
      it.isEnded,
      it.assets,
    ])
  const ended = [
    ['system', 'Debian GNU/Linux 10', '2022-09-10', true, 1],
    ['software', 'Mozilla Firefox (x64 en-US)', '2025-09-16', true, 3],
  ]
  expect(await listed(30)).toEqual(ended)
  expect(await listed(90)).toEqual([...ended, ['system', 'Debian GNU/Linux 12', '2026-07-11', false, 2]])
  expect(await listEndOfLife(at, { limit: 1, offset: 1 }, 30)).toMatchObject({
    total: 2,
    items: [{ cycle: '115' }],
  })
  expect((await listEndOfLife({ ...other, now }, PAGE, 90)).total).toBe(0)
  await expect(listEndOfLife(at, PAGE, -1)).rejects.toMatchObject({
    status: 400,
    extras: { field: 'withinDays' },
  })
})
