import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { seenWithinLimit } from '#test/support/seen-within-limit.ts'
import { addRelation, deriveLinks, listLinks } from './topology.ts'

const home = sharedTestApp()
const ALL = { limit: 50, offset: 0 }
const mac = (n: number) => `3c:2a:f4:00:00:0${n}`

test('who sees some assets sees what joins two of these, and neighbours that are no assets', async () => {
  const ctx = await home().newTenant()
  const switchOf = (n: number, tags: string[], ...others: (number | string)[]) =>
    seen(
      `s${n}`,
      { serial: `FOC000${n}`, chassis_id: mac(n) },
      {
        name: `s${n}`,
        tags,
        facts: {
          neighbours: others.map((other, at) => ({
            by: 'lldp',
            localInterface: `Te1/${at}`,
            ...(typeof other === 'number' ? { remoteChassis: mac(other) } : { remoteName: other }),
          })),
        } as never,
      },
    )
  await submit(ctx, { kind: 'snmp', name: 'poll' }, [
    switchOf(1, ['near'], 2, 3, 'unknown-switch'),
    switchOf(2, ['near']),
    switchOf(3, [], 4),
    switchOf(4, []),
  ])
  await deriveLinks(ctx)
  const { items } = await listAssets(ctx, ALL)
  const idOf = (name: string) => items.find((it) => it.name === name)?.id ?? ''
  for (const [from, to] of [
    ['s1', 's2'],
    ['s1', 's3'],
    ['s3', 's2'],
    ['s3', 's4'],
  ] as const)
    await addRelation(ctx, { fromId: idOf(from), kind: 'depends_on', toId: idOf(to) })
  expect(await seenWithinLimit(ctx, ['asset_relations', 'topology_links'])).toEqual({
    asset_relations: '1 of 4',
    topology_links: '2 of 4',
  })
  const limited = ctx.conditions.limit(ctx, 'tag = near')
  expect((await listLinks(limited, ALL)).total).toBe(2)
})
