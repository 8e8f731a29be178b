import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'
import { busiestSecond, resets } from '#test/support/network/packet-counts.ts'

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
      { machine: 'router', counter: 'eth0/statistics/rx_packets' },
      '10.77.0.80/32',
    )
    process.stdout.write(`packets to one host: ${total} in all, ${busiest} in the busiest second\n`)
    expect(total).toBeGreaterThan(12)
    expect(busiest).toBeLessThanOrEqual(40)
  })

  test('sends at most 1,000 packets a second, address resolution and all', async () => {
    const { busiest, total } = await busiestSecond(
      lab,
      { machine: 'scanner', counter: 'bridge/statistics/tx_packets' },
      RANGE,
    )
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
