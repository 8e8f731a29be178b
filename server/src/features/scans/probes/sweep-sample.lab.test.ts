import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab, type Swept } from '#test/support/network/network-lab.ts'

const RANGE = '10.72.0.0/21'
const SCANNER = '10.72.0.1'
/** In the sixth network of eight, of which the sample asks the first. */
const GATEWAY = '10.72.5.1'
const NEIGHBOUR = '10.72.5.77'
/** In networks in which the sample meets nobody. */
const HIDDEN = ['10.72.2.77', '10.72.7.201']

needs('root', 'ip')('a sweep of a range that is sampled first', () => {
  let lab: NetworkLab
  let swept: Swept
  beforeAll(async () => {
    lab = await networkLab({
      scanner: `${SCANNER}/21`,
      machines: { office: [GATEWAY, NEIGHBOUR], hidden: HIDDEN },
    })
    swept = await lab.sweep(RANGE)
  }, 120_000)
  afterAll(() => lab?.close())

  const found = (): readonly string[] => swept.seen.map(({ sourceKey }) => sourceKey.split('|')[0] ?? '')

  test('finds every machine, those too in whose networks the sample met nobody', () => {
    expect(found().toSorted()).toEqual([SCANNER, GATEWAY, NEIGHBOUR, ...HIDDEN].toSorted())
  })

  test('finds whom the sample met and their neighbours before machines elsewhere', () => {
    const order = found()
    for (const hidden of HIDDEN)
      for (const early of [GATEWAY, NEIGHBOUR])
        expect(order.indexOf(early)).toBeLessThan(order.indexOf(hidden))
  })

  test('says while it goes on that the other networks are only sampled', () => {
    expect(swept.sampledOnlyMost).toBeGreaterThanOrEqual(6)
    expect(swept.sampledOnlyAtEnd).toBe(0)
  })
})
