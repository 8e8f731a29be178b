import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { assetsOf, MINUTE, seen, sweep } from '../observations.fixture.ts'

const DAY = (24 * 60 * MINUTE) / MINUTE
const PLACE = '10.0.0.90|'
const till = { ip: '10.0.0.90', hostname: 'till-1' }
const kiosk = { ip: '10.0.0.90', hostname: 'kiosk-4' }

test('an address behind a router passes to another machine, and back', async () => {
  const ctx = await (await testApp()).newTenant()
  const report = async (tells: Record<string, string>, day: number) => {
    await submit(ctx, sweep, [seen(PLACE, tells, { minute: day * DAY })])
    return assetsOf(ctx)
  }
  const [first] = await report(till, 0)
  expect(await report({ ip: '10.0.0.90' }, 1)).toEqual([first])
  const passed = await report(kiosk, 2)
  expect(passed).toMatchObject([
    { name: 'kiosk-4', keys: [PLACE] },
    { id: first?.id, name: 'till-1', keys: [`${PLACE}#till-1`] },
  ])
  // unchanged repeats go to the latest holder
  expect(await report(kiosk, 3)).toEqual(passed)
  const back = await report(till, 4)
  expect(back).toMatchObject([
    { id: passed[0]?.id, name: 'kiosk-4', keys: [`${PLACE}#kiosk-4`] },
    { id: first?.id, name: 'till-1', keys: [PLACE] },
  ])
  expect(await report(kiosk, 2)).toEqual(back)
})

test('in one batch, and with another host key under the same name', async () => {
  const ctx = await (await testApp()).newTenant()
  const key = (letter: string) => ({ ssh_host_key: `SHA256:${letter.repeat(43)}` })
  const batch = [
    seen(PLACE, { ...till, ...key('a') }),
    seen(PLACE, { ...till, ...key('b') }, { minute: 2 * DAY }),
    seen(PLACE, { ...kiosk, ...key('b') }, { minute: 3 * DAY }),
  ]
  await submit(ctx, sweep, batch)
  await submit(ctx, sweep, batch)
  expect((await assetsOf(ctx)).map(({ keys }) => keys.length)).toEqual([1, 1])
})

test('a list that people keep renames what it calls by its address', async () => {
  const ctx = await (await testApp()).newTenant()
  const list = { kind: 'csv', name: 'list' }
  await submit(ctx, list, [seen('10.0.0.90', till)])
  await submit(ctx, list, [seen('10.0.0.90', kiosk, { minute: DAY })])
  expect(await assetsOf(ctx)).toHaveLength(1)
})
