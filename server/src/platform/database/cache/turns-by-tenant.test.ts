import { expect, test } from 'vitest'
import { turnsByTenant, type TurnLimits } from './turns-by-tenant.ts'

const limits = { atOnce: 3, atOnceOfTenant: 2, waiting: 3 }

/** Works that go on until they are released, in the order in which they begin. */
function latched(given: TurnLimits = limits) {
  const take = turnsByTenant(given)
  const begun: string[] = []
  const latches = new Map<string, () => void>()
  const unwanted = new Set<string>()
  const start = (name: string): Promise<string> =>
    take({
      tenantId: name.slice(0, 1),
      isWanted: () => !unwanted.has(name),
      async work() {
        begun.push(name)
        await new Promise<void>((resolve) => latches.set(name, resolve))
        return name
      },
    })
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
  const end = async (name: string) => {
    latches.get(name)?.()
    await settled()
  }
  return { start, begun, end, unwanted, settled }
}

test('a tenant with many works leaves a turn to the others', async () => {
  const { start, begun, end, settled } = latched()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void start(name)
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(begun.slice(3)).toEqual(['a3'])
  await end('b1')
  expect(begun.slice(4)).toEqual(['b2'])
  await end('b2')
  await end('a2')
  expect(begun.slice(5)).toEqual(['c1', 'a4'])
})

test('beyond what may wait it is refused with a time to come back', async () => {
  const { start, begun, end } = latched()
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map(start)
  await expect(start('a6')).rejects.toMatchObject({ status: 503, extras: { retryAfterSeconds: 5 } })
  void start('b1')
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await end(name)
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  expect(begun).toContain('b1')
})

test('what nobody waits for any more is not begun', async () => {
  const { start, begun, end, unwanted, settled } = latched({ ...limits, atOnce: 1 })
  void start('a1')
  const dropped = start('a2')
  void start('a3')
  unwanted.add('a2')
  await settled()
  const [refused] = await Promise.all([dropped.catch((error: unknown) => error), end('a1')])
  expect(refused).toMatchObject({ status: 503 })
  expect(begun).toEqual(['a1', 'a3'])
})
