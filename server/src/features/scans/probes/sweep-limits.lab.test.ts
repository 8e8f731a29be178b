import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/needs.ts'
import { networkLab, type NetworkLab } from '#test/network-lab.ts'

const RANGE = '10.77.0.0/24'
const MANY = Array.from({ length: 38 }, (_, i) => `10.77.0.${10 + i}`)

needs(
  'root',
  'ip',
  'nft',
  'fping',
)('a sweep keeps to its limits', () => {
  let lab: NetworkLab
  const ROUTED = ['10.88.0.5', '10.88.0.6']

  beforeAll(async () => {
    lab = await networkLab({
      scanner: '10.77.0.1/24',
      machines: { many: MANY, router: ['10.77.0.80'] },
      routes: { '10.88.0.0/24': '10.77.0.80' },
    })
    for (const address of ROUTED) await lab.run('router', 'ip', 'addr', 'add', `${address}/32`, 'dev', 'lo')
    await lab.firewall('router', 'ip daddr 10.88.0.5 meta l4proto tcp drop')
  })
  afterAll(() => lab?.close())

  test('sends at most 40 packets a second to one host', async () => {
    const { busiest, total } = await busiestSecond(
      lab,
      'router',
      'eth0/statistics/rx_packets',
      '10.77.0.80/32',
    )
    process.stdout.write(`packets to one host: ${total} in all, ${busiest} in the busiest second\n`)
    expect(total).toBeGreaterThan(12)
    expect(busiest).toBeLessThanOrEqual(40)
  })

  test('sends at most 1,000 packets a second, address resolution and all', async () => {
    const { busiest, total } = await busiestSecond(lab, 'scanner', 'bridge/statistics/tx_packets', RANGE)
    process.stdout.write(`packets: ${total} in all, ${busiest} in the busiest second\n`)
    expect(total).toBeGreaterThan(38 * 12)
    expect(busiest).toBeLessThanOrEqual(1000)
  })

  test('resets no connection', async () => {
    const before = await resets(lab)
    await lab.sweep(`${MANY[0]}/32`)
    expect(await resets(lab)).toBe(before)
  })

  test('finds hosts behind a router, by ICMP when they drop TCP', async () => {
    const { seen } = await lab.sweep('10.88.0.0/28')
    expect(new Map(seen.map((it) => [it.sourceKey, it.facts?.['foundBy']]))).toEqual(
      new Map([
        ['10.88.0.5|', 'icmp echo'],
        ['10.88.0.6|', expect.stringMatching(/^(tcp|icmp echo)$/)],
      ]),
    )
  })

  test('says so when there is no route', async () => {
    await expect(lab.sweep('198.51.100.0/24')).rejects.toThrow(
      'no route to 198.51.100.0/24 from this machine',
    )
  })
})

/** Counts packets by the interface's own counter while a range is swept. */
async function busiestSecond(
  lab: NetworkLab,
  machine: string,
  counter: string,
  range: string,
): Promise<{ busiest: number; total: number }> {
  const samples: { at: number; count: number }[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const count = Number(await lab.run(machine, 'cat', `/sys/class/net/${counter}`))
      samples.push({ at: performance.now(), count })
      await sleep(20)
    }
  })()
  await lab.sweep(range).finally(() => (isOver = true))
  await watching
  const within = samples.map((from) => {
    const until = samples.findLast((it) => it.at <= from.at + 1000) ?? from
    return until.count - from.count
  })
  return { busiest: Math.max(...within), total: (samples.at(-1)?.count ?? 0) - (samples[0]?.count ?? 0) }
}

/** Resets that the scanner sent, from the kernel's counters. */
async function resets(lab: NetworkLab): Promise<number> {
  const [names, values] = (await lab.run('scanner', 'cat', '/proc/net/snmp'))
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '))
  return Number(values?.[names?.indexOf('OutRsts') ?? -1])
}
