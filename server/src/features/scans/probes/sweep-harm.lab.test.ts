import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '#test/support/needs.ts'
import { networkLab, type NetworkLab } from '#test/support/network/network-lab.ts'

const SOUND = '10.79.0.9'
const FRAGILE = [20, 40, 60, 80].map((last) => `10.79.0.${last}`)
/** Octets that a fragile device takes in before it hangs: some six packets. */
const BEARS = 400

needs(
  'root',
  'ip',
  'nft',
)('a sweep of devices that hang when they are asked too much', () => {
  let lab: NetworkLab
  beforeAll(async () => {
    lab = await networkLab({
      scanner: '10.79.0.1/24',
      machines: { sound: [SOUND], fragile: FRAGILE },
    })
    await lab.firewall('fragile', ...FRAGILE.map((it) => `ip daddr ${it} quota over ${BEARS} bytes drop`))
  }, 60_000)
  afterAll(() => lab?.close())

  test('asks none of them on, says why, and leaves the sound one alone', async () => {
    const { seen } = await lab.sweep('10.79.0.0/25')
    const notes = new Map(seen.map((it) => [it.identifiers[0]?.value, it.facts?.['notes']]))
    for (const address of FRAGILE)
      expect(notes.get(address)).toEqual([
        expect.stringMatching(
          /^asked no more: (it answered at port \d+, and no more since it was asked on|10\.79\.0\.0\/24: 3 devices stopped)/,
        ),
      ])
    expect(notes.has(SOUND)).toBe(true)
  }, 60_000)
})
