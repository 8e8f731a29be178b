import { describe, expect, test } from 'vitest'
import { resolve, type Attributes, type Statement } from './source-precedence.ts'

const DAY = 24 * 60 * 60_000
const say = (sourceKind: string, values: Attributes, seenAt = 0, locked = false): Statement => ({
  observationId: `${sourceKind}-${seenAt}`,
  sourceKind,
  sourceName: sourceKind,
  sourceKey: 'k',
  seenAt,
  locked,
  values,
})

describe('whose value wins', () => {
  test.each([
    ['csv', 'import'],
    ['nmap-xml', 'sweep'],
    ['directory', 'passive'],
    ['saas', 'cloud'],
    ['software', 'cloud'],
    ['hypervisor', 'vmware'],
    ['mdm', 'ssh'],
    ['wmi', 'ssh'],
    ['never-heard-of', 'csv'],
  ])('%s counts as much as %s', (kind, other) => {
    const statements = [say(kind, { os: 'new' }, 2), say(other, { os: 'old' }, 1)]
    expect(resolve(statements).values.os).toBe('new')
    expect(resolve([say(kind, { os: 'old' }, 1), say(other, { os: 'new' }, 2)]).values.os).toBe('new')
  })
  const best = ['import', 'sweep', 'passive', 'snmp', 'vmware', 'ssh', 'agent', 'manual']
  test.each(best.slice(1).map((kind, index) => [kind, best[index] ?? '']))('%s over %s', (better, worse) => {
    const statements = [say(worse, { os: worse }), say(better, { os: better })]
    expect(resolve(statements).values.os).toBe(better)
    expect(resolve(statements.toReversed()).values.os).toBe(better)
  })
  test('a locked value over all', () => {
    expect(resolve([say('agent', { os: 'a' }, DAY), say('manual', { os: 'l' }, 0, true)]).values.os).toBe('l')
  })
  test('of equals, the newer', () => {
    expect(resolve([say('ssh', { os: 'new' }, 2), say('wmi', { os: 'old' }, 1)]).values.os).toBe('new')
  })
  test('for each attribute by itself', () => {
    const { values } = resolve([say('agent', { os: 'Debian 13' }), say('csv', { os: 'Linux', model: 'T14' })])
    expect(values).toEqual({ os: 'Debian 13', model: 'T14' })
  })
  test('an agent that fell silent drops one rank', () => {
    const silent = say('agent', { os: 'old' })
    expect(resolve([silent, say('ssh', { os: 'new' }, 40 * 60_000)]).values.os).toBe('old')
    expect(resolve([silent, say('ssh', { os: 'new' }, 50 * 60_000)]).values.os).toBe('new')
    expect(resolve([silent, say('snmp', { os: 'new' }, 50 * 60_000)]).values.os).toBe('old')
  })
})

test('what lost stays visible, the winner first', () => {
  const { offers } = resolve([say('csv', { os: 'c' }), say('agent', { os: 'a' }), say('sweep', {})])
  expect(offers.os.map((statement) => statement.values.os)).toEqual(['a', 'c'])
})

test('tells whether time alone could change the outcome', () => {
  expect(resolve([say('ssh', { os: 'a' }, 1), say('wmi', { os: 'b' }, 2)]).dependsOnTime).toBe(true)
  expect(resolve([say('ssh', { os: 'a' }, 1), say('wmi', { os: 'a' }, 2)]).dependsOnTime).toBe(false)
  expect(resolve([say('agent', { os: 'a' }), say('sweep', { os: 'b' })]).dependsOnTime).toBe(false)
})
