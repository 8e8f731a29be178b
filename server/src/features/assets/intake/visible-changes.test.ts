import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Source } from '#features/sources/source.ts'
import { testApp } from '#test/support/app/test-app.ts'
import type { Observation } from '../observation.ts'
import { agent, csv, seen, sweep } from '../observations.fixture.ts'

const nmap = { kind: 'nmap-xml', name: 'nmap' }
const mac = '3c:2a:f4:02:34:5f'
const swept = seen('10.0.0.5|', { mac, ip: '10.0.0.5', hostname: 'web-1' }, { tags: ['a'] })

const again = (more: Parameters<typeof seen>[1], rest: Parameters<typeof seen>[2] = {}) =>
  seen('other', { mac, ip: '10.0.0.5', hostname: 'web-1', ...more }, { minute: 1, ...rest })

test.each<[string, Source, Observation, 'updated' | 'unchanged']>([
  ['a source that tells the same', nmap, again({}), 'unchanged'],
  ['facts alone', nmap, again({}, { facts: { ports: [22] } }), 'unchanged'],
  ['fewer values', nmap, seen('other', { mac, hostname: 'web-1' }), 'unchanged'],
  ['a value that a better source knows otherwise', csv, again({ ip: [] }, { tags: ['a'] }), 'unchanged'],
  ['a name', csv, again({}, { name: 'Shop' }), 'updated'],
  ['a system', nmap, again({}, { os: 'Debian' }), 'updated'],
  ['another address', nmap, again({ ip: ['10.0.0.5', '10.0.0.6'] }), 'updated'],
  ['a value by which it may be found', nmap, again({ serial: 'PF0ABC12' }), 'updated'],
  ['a tag', nmap, again({}, { tags: ['a', 'b'] }), 'updated'],
  ['the tag that it has', nmap, again({}, { tags: ['a'] }), 'unchanged'],
])('%s', async (_, source, observation, expected) => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, sweep, [swept])
  const counts = { observed: 1, created: 0, updated: 0, unchanged: 0, rejected: [] }
  expect(await submit(ctx, source, [observation])).toEqual({ ...counts, [expected]: 1 })
  expect(await submit(ctx, source, [observation])).toEqual({ ...counts, unchanged: 1 })
})

test('in one batch, what adds nothing to what the first of them made is unchanged', async () => {
  const ctx = await (await testApp()).newTenant()
  const serial = 'PF0ABC12'
  const result = await submit(ctx, agent, [
    seen('1', { serial }),
    seen('2', { serial }),
    seen('3', { serial }),
  ])
  expect(result).toMatchObject({ created: 1, updated: 0, unchanged: 2 })
  const other = 'PF0XYZ99'
  const more = await submit(ctx, agent, [seen('4', { serial: other }), seen('5', { serial: other, mac })])
  expect(more).toMatchObject({ created: 1, updated: 1 })
})

test('a report that makes two assets one changed the one that stays', async () => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, sweep, [swept])
  await submit(ctx, csv, [seen('2', { serial: 'PF0ABC12' })])
  expect(await submit(ctx, agent, [seen('a', { mac, serial: 'PF0ABC12', hostname: 'web-1' })])).toMatchObject(
    {
      created: 0,
      updated: 1,
    },
  )
})
