import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { IdentifierType, Observation } from '#features/assets/observation.ts'
import { portSets } from './data-centre-servers.ts'
import { countsFor, generateObservations } from './estate.ts'
import { generators } from './generators/all.ts'
import type { SourcedObservation } from './generators/generator.ts'

const now = new Date('2026-11-21T15:04:05Z')
const estate = (size: number, seed = 1, at = now): SourcedObservation[] => [
  ...generateObservations({ size, seed, now: at }),
]
const values = (observations: readonly Observation[], type: IdentifierType): string[] =>
  observations.flatMap((each) => each.identifiers.filter((id) => id.type === type).map((id) => id.value))

test('the same for the same seed on the same day', () => {
  expect(estate(300)).toEqual(estate(300, 1, new Date('2026-11-21T00:00:00Z')))
  expect(estate(300)).not.toEqual(estate(300, 2))
})

/** The company that documents, screens and measurements speak of. Another one needs these anew. */
const company = {
  '': 'f038bad1c7fd965e',
  cloud_resource: '4fbe266b3234e3e5',
  cluster: '52a93b0c81b0c6c6',
  datacenter: '04bf145f6c5525b2',
  datastore: 'b08ce7fe4baefd8c',
  device: 'cc9d66ad7e9bc15f',
  hypervisor: '811870463ea3d56c',
  ot_device: '7eb53134bcb4eac9',
  saas_account: '4a43f515108b3d60',
  software: '3017ad7c67fa130b',
  user: 'a1e820c58baf7ede',
  virtual_machine: '46c21bca427ce306',
}

test('it is the company that is known, of each type of asset', () => {
  const byType = Map.groupBy(estate(600), ({ observation }) => observation.assetType ?? '')
  const digests = [...byType].map(([type, those]) => [
    type,
    createHash('sha256').update(JSON.stringify(those)).digest('hex').slice(0, 16),
  ])
  expect(Object.fromEntries(digests)).toEqual(company)
})

test('the next day sees the same assets a day later', () => {
  const tomorrow = estate(300, 1, new Date('2026-11-22T09:00:00Z'))
  const aDayEarlier = tomorrow.map(({ observation, ...rest }) => ({
    ...rest,
    observation: { ...observation, seenAt: new Date(observation.seenAt.getTime() - 86_400_000) },
  }))
  expect(aDayEarlier).toEqual(estate(300))
})

test.each(portSets.map((ports) => [ports]))(
  'a server with the ports %j is reached over SSH, or as a remote desktop',
  (ports) => {
    expect(ports.filter((it) => it === 22 || it === 3389)).toHaveLength(1)
  },
)

test('nothing is seen after the beginning of the day', () => {
  const latest = Math.max(...estate(300).map((each) => each.observation.seenAt.getTime()))
  expect(latest).toBeLessThanOrEqual(new Date('2026-11-21T00:00:00Z').getTime())
})

describe('its size', () => {
  test.each([1, 5, 11, 20, 21, 100, 500, 12_345, 1_000_000])('%i assets', (size) => {
    const counts = [...countsFor(size).values()]
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(size)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(size >= generators.length ? 1 : 0)
  })

  test('eleven assets are of all eleven types', () => {
    const types = estate(11).flatMap((each) => each.observation.assetType ?? [])
    expect(new Set(types).size).toBe(11)
  })
})

describe('an estate of 20,000', () => {
  const all = estate(20_000)
  const of = (...by: readonly SourcedObservation['by'][]) =>
    all.filter((each) => by.includes(each.by)).map((each) => each.observation)

  test('no source knows two assets by one key', () => {
    const keys = all.map((each) => `${each.by} ${each.observation.sourceKey}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('most laptops are on the purchasing list, by their serial', () => {
    const isLaptop = (it: Observation) => it.identifiers.some(({ value }) => /-lt-\d+(?:\.|$)/.test(value))
    const serials = values(of('agents').filter(isLaptop), 'serial')
    const bought = new Set(values(of('purchasing'), 'serial'))
    const share = serials.filter((it) => bought.has(it)).length / serials.length
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(0.7)
  })

  test('many machines are seen by several sources', () => {
    expect(all.length).toBeGreaterThan(1.6 * 20_000)
    expect(new Set(all.map((each) => each.by)).size).toBe(14)
  })

  test.each([
    ['hardware address', 'mac', 'sweep'],
    ['address', 'ip', 'sweep'],
    ['cloud id', 'cloud_id', 'vcenter'],
    ['agent key', 'agent_key', 'agents'],
    ['device serial', 'serial', 'devices'],
    ['object id', 'management_id', 'directory'],
  ] as const)('no two things have one %s', (_, type, by) => {
    const found = values(of(by), type)
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found).size).toBe(found.length)
  })

  test('no two agents run under one name', () => {
    const names = values(of('agents'), 'hostname')
    expect(new Set(names).size).toBe(names.length)
  })

  test('the trouble of real estates is in it', () => {
    const agents = of('agents')
    const repeated = (type: IdentifierType) => {
      const found = values(agents, type)
      return found.length - new Set(found).size
    }
    expect(values(agents, 'serial').filter((serial) => serial === 'Default string').length).toBeGreaterThan(
      50,
    )
    expect(repeated('machine_id')).toBeGreaterThan(50)
    expect(repeated('mac')).toBeGreaterThan(200)
    expect(repeated('smbios_uuid')).toBeGreaterThan(200)
    const random = values(of('sweep'), 'mac').filter((mac) => Number.parseInt(mac.slice(0, 2), 16) & 2)
    expect(random.length).toBeGreaterThan(200)
  })

  test('every value has its form', () => {
    const observations = all.map((each) => each.observation)
    for (const mac of values(observations, 'mac')) expect(mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)
    for (const ip of values(observations, 'ip'))
      expect(ip).toMatch(/^(10|172|192)(\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/)
    for (const name of values(observations, 'hostname')) expect(name).toMatch(/^[a-z0-9][a-z0-9.-]+$/i)
  })
})

test('a hundred thousand things have addresses of their own too', () => {
  const macs = new Set<string>()
  let swept = 0
  const addresses = new Set<string>()
  for (const { by, observation } of generateObservations({ size: 100_000, seed: 1, now })) {
    if (by !== 'sweep') continue
    swept++
    for (const mac of values([observation], 'mac')) macs.add(mac)
    for (const ip of values([observation], 'ip')) addresses.add(ip)
  }
  expect([macs.size, addresses.size]).toEqual([swept, swept])
})
