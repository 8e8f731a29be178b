import { expect, test } from 'vitest'
import { Neighbours, parseIpNeigh, parseProcArp, type NeighbourTable } from './arp-table.ts'

const never = new AbortController().signal
const MAC = '00:1b:21:00:00:01'

const line = (dst: string, state: string, more: object = { lladdr: MAC, confirmed: 300 }) => ({
  dst,
  dev: 'eth0',
  state: [state],
  ...more,
})

test('parses ip neigh: reachable entries and stale ones', () => {
  const text = JSON.stringify([
    line('192.0.2.1', 'REACHABLE'),
    line('192.0.2.2', 'STALE'),
    line('192.0.2.3', 'STALE', { lladdr: MAC, confirmed: 12 }),
    line('192.0.2.4', 'DELAY'),
    line('192.0.2.5', 'FAILED', {}),
    line('192.0.2.6', 'INCOMPLETE', {}),
    line('192.0.2.7', 'PERMANENT'),
    line('192.0.2.8', 'REACHABLE', { lladdr: '00:00:00:00:00:00' }),
    line('2001:db8::1', 'REACHABLE'),
  ])
  expect([...parseIpNeigh(text)]).toEqual([
    ['192.0.2.1', { mac: MAC, isFresh: true }],
    ['192.0.2.2', { mac: MAC, isFresh: false }],
    ['192.0.2.3', { mac: MAC, isFresh: true }],
    ['192.0.2.4', { mac: MAC, isFresh: false }],
    ['2001:db8::1', { mac: MAC, isFresh: true }],
  ])
  expect(parseIpNeigh('\n').size).toBe(0)
})

test('reads /proc/net/arp, which knows no ages', () => {
  const text = [
    'IP address       HW type     Flags       HW address            Mask     Device',
    `192.0.2.1        0x1         0x2         ${MAC}     *        eth0`,
    '192.0.2.2        0x1         0x0         00:00:00:00:00:00     *        eth0',
    `192.0.2.3        0x1         0x6         ${MAC}     *        eth0`,
    '',
  ].join('\n')
  expect([...parseProcArp(text)]).toEqual([['192.0.2.1', { mac: MAC, isFresh: false }]])
})

/** A table that changes with every reading and then stays as it is. */
async function watching(...tables: NeighbourTable[]): Promise<Neighbours> {
  let at = 0
  const neighbours = await Neighbours.open(
    () => Promise.resolve(tables[Math.min(at++, tables.length - 1)]),
    never,
  )
  if (!neighbours) throw new Error('not readable')
  return neighbours
}
const table = (address: string, isFresh: boolean): NeighbourTable =>
  new Map([[address, { mac: MAC, isFresh }]])
const appears = (neighbours: Neighbours, address: string): Promise<unknown> =>
  new Promise((resolve) => neighbours.watch(address, resolve))

test('an entry that was not there before is a sign of life, whatever its age', async () => {
  const neighbours = await watching(new Map(), new Map(), table('192.0.2.1', false))
  expect(await appears(neighbours, '192.0.2.1')).toMatchObject({ mac: MAC })
  expect(neighbours.isRemembered('192.0.2.1')).toBe(false)
})

test('a remembered entry counts only when it proves fresh', async () => {
  const old = table('192.0.2.1', false)
  const neighbours = await watching(old, old, old, table('192.0.2.1', true))
  expect(neighbours.isRemembered('192.0.2.1')).toBe(true)
  expect(await appears(neighbours, '192.0.2.1')).toMatchObject({ isFresh: true })
  expect(await neighbours.remains('192.0.2.1')).toBe(true)
})

test('a table that cannot be read is no table', async () => {
  expect(await Neighbours.open(() => Promise.resolve(undefined), never)).toBeUndefined()
  expect(await Neighbours.open(() => Promise.reject(new Error('not JSON')), never)).toBeUndefined()
})

test('ages are read only while an address is waited for that was there before', async () => {
  const readings: boolean[] = []
  const before = table('192.0.2.1', false)
  const tables = new Map([...before, ...table('192.0.2.2', false)])
  const read = (withAges: boolean): Promise<NeighbourTable> => {
    readings.push(withAges)
    return Promise.resolve(readings.length === 1 ? before : tables)
  }
  const neighbours = await Neighbours.open(read, never)
  if (!neighbours) throw new Error('not readable')
  await appears(neighbours, '192.0.2.2')
  expect(readings).toEqual([true, false])
  const stop = neighbours.watch('192.0.2.1', () => undefined)
  await expect.poll(() => readings.length).toBe(3)
  stop()
  expect(readings.at(-1)).toBe(true)
})
