import { describe, expect, test } from 'vitest'
import { evidence } from './evidence.ts'
import { cluster, candidatePair, type Constraint } from './identity.ts'
import { allShared } from './shared-identifier-values.ts'
import type { MatchRecord } from './match-record.ts'
import { MINUTE, recordOf } from './match-records.fixture.ts'

const NOBODY: ReadonlySet<string> = new Set()

/** The keys of each cluster. */
function clustersOf(matchRecords: MatchRecord[], constraints: Constraint[] = []): string[][] {
  const shared = new Set(allShared(matchRecords).keys())
  return cluster({ matchRecords, constraints, shared }).map(({ members }) => members.map(({ key }) => key))
}

describe('evidence, as checked by hand', () => {
  const mac = { mac: ['3c:2a:f4:02:34:5f'] }
  const bare = { hostname: ['web-1'] }
  const ip = { ip: ['10.0.0.5'] }
  const hour = 60 * MINUTE
  test.each([
    ['MAC and host name', { ...mac, ...bare }, 0, 0.9175, 'links'],
    ['machine id and host name', { machine_id: ['a1b2'], ...bare }, 0, 0.934, 'links'],
    ['SSH key and host name', { ssh_host_key: [`sha256:${'k'.repeat(43)}`], ...bare }, 0, 0.89, 'asks'],
    ['full name and address of the same scan', { hostname: ['web-1.corp.example'], ...ip }, 0, 0.88, 'asks'],
    ['host name and address', { ...bare, ...ip }, hour, 0.505, 'new'],
    ['random MAC and host name', { mac: ['da:a1:19:00:00:01'], ...bare }, 0, 0.78, 'asks'],
  ])('%s', (...[, identifierPeriods, apartMs, score, decision]) => {
    const [a, b] = [recordOf('a', identifierPeriods), recordOf('b', identifierPeriods, { from: apartMs })]
    expect(evidence(a, b, NOBODY).score).toBe(score)
    expect(clustersOf([a, b])).toHaveLength(decision === 'links' ? 1 : 2)
    expect(candidatePair(a, b, NOBODY) !== undefined).toBe(decision !== 'new')
  })

  const named = (name: string) => ({ ...mac, hostname: [name] })
  const inDns = (name: string) => ({ ...mac, ptr_name: [name] })
  const full = 'web-1.corp.example'
  test.each([
    ['the full host name', inDns(full), named(full), 0.9175],
    ['the bare host name', inDns(full), named('web-1'), 0.9175],
    ['a full name of the same bare one', inDns('web-1'), named(full), 0.9175],
    ['the host name in another domain', inDns(full), named('web-1.other.example'), 0.85],
    ['another name', inDns(full), named('web-2'), 0.85],
    ['what everybody is called', inDns('localhost.corp.example'), named('localhost'), 0.865],
    ['the same name in the DNS', inDns(full), inDns(full), 0.865],
  ])('the name of the address is %s', (...[, one, other, score]) => {
    expect(evidence(recordOf('a', one), recordOf('b', other), NOBODY).score).toBe(score)
    expect(evidence(recordOf('a', other), recordOf('b', one), NOBODY).score).toBe(score)
  })
  test('the name of the address is a host name that many share', () => {
    const shared = new Set(['hostname web-1'])
    expect(evidence(recordOf('a', inDns(full)), recordOf('b', named('web-1')), shared).score).toBe(0.85)
  })

  test.each([
    ['Dell Inc.', 'DELL', 0.97],
    ['Dell Inc.', undefined, 0.93],
    [undefined, undefined, 0.93],
    ['Dell Inc.', 'Lenovo', 0],
  ])('a serial of makers %s and %s', (one, other, score) => {
    const serial = { serial: ['ABC1234'] }
    expect(
      evidence(recordOf('a', serial, { vendor: one }), recordOf('b', serial, { vendor: other }), NOBODY)
        .score,
    ).toBe(score)
  })

  test('an address is static, or of another scope', () => {
    const later = { from: 60 * MINUTE }
    expect(evidence(recordOf('a', ip, { static: true }), recordOf('b', ip, later), NOBODY).score).toBe(0.3)
    expect(evidence(recordOf('a', ip), recordOf('b', ip, { scope: 'site-2' }), NOBODY).score).toBe(0)
  })

  test('only the strongest of a group counts', () => {
    const disk = { serial: ['ABC1234'], smbios_uuid: ['4c4c4544-0043-3510-8052-b9c04f4a3632'] }
    expect(evidence(recordOf('a', disk), recordOf('b', disk), NOBODY).score).toBe(0.95)
  })
})

describe('quirk 1: cloned machines do not overwrite each other', () => {
  const image = {
    serial: ['VMW-1'],
    smbios_uuid: ['4c4c4544-0043-3510-8052-b9c04f4a3632'],
    machine_id: ['a1b2'],
    mac: ['3c:2a:f4:02:34:5f'],
    hostname: ['golden.corp.example'],
  }
  test('two agents that are both live are two machines, and what they share counts no more', () => {
    const clones = [
      recordOf('a', { agent_key: ['k1'], ...image }),
      recordOf('b', { agent_key: ['k2'], ...image }),
    ]
    expect(clustersOf(clones)).toEqual([['a'], ['b']])
    expect([...allShared(clones).keys()]).toContain('machine_id a1b2')
  })
  test('a third source cannot make them one', () => {
    const clones = [
      recordOf('a', { agent_key: ['k1'], ...image }),
      recordOf('b', { agent_key: ['k2'], ...image }),
      recordOf('c', image),
    ]
    expect(clustersOf(clones)).toHaveLength(3)
  })
  test('a machine id on three machines with their own serials is shared', () => {
    const machines = ['SN-1', 'SN-2', 'SN-3'].map((serial) =>
      recordOf(serial, { serial: [serial], machine_id: ['a1b2'] }),
    )
    expect(allShared(machines).get('machine_id a1b2')).toEqual({
      because: 'stronger_values_differ',
      type: 'serial',
      values: ['SN-1', 'SN-2', 'SN-3'],
    })
    expect(allShared(machines.slice(1)).size).toBe(0)
  })
})

describe('quirk 2: one machine seen by its hypervisor and from inside is one', () => {
  test('though they spell the UUID in different byte orders', () => {
    const vcenter = recordOf('vcenter', {
      cloud_id: ['vcenter:1/5012-abc'],
      smbios_uuid: ['4c4c4544-0043-3510-8052-b9c04f4a3632'],
      mac: ['00:50:56:9a:01:02'],
    })
    const inside = recordOf('agent', {
      agent_key: ['k1'],
      smbios_uuid: ['44454c4c-4300-1035-8052-b9c04f4a3632'],
    })
    expect(clustersOf([vcenter, inside])).toHaveLength(1)
  })
  test('by MAC address and full name where there is no UUID', () => {
    const guest = { mac: ['00:50:56:9a:01:02'], hostname: ['db1.corp.example'] }
    expect(clustersOf([recordOf('vcenter', guest), recordOf('ssh', guest)])).toHaveLength(1)
  })
})

describe('quirk 3: renamed or installed again, a machine stays one', () => {
  test('renamed', () => {
    const before = recordOf('ad', { machine_id: ['a1b2'], hostname: ['old'], mac: ['3c:2a:f4:02:34:5f'] })
    const after = recordOf('agent', { machine_id: ['a1b2'], hostname: ['new'], mac: ['3c:2a:f4:02:34:5f'] })
    expect(clustersOf([before, after])).toHaveLength(1)
  })
  test('installed again: new agent key, machine id and name on the same hardware', () => {
    const before = { agent_key: ['k1'], machine_id: ['a1b2'], hostname: ['old'], serial: ['PF0ABC12'] }
    const after = { agent_key: ['k2'], machine_id: ['c3d4'], hostname: ['new'], serial: ['PF0ABC12'] }
    const day = 24 * 60 * MINUTE
    expect(
      clustersOf([recordOf('a', before, { until: day }), recordOf('b', after, { from: 2 * day })]),
    ).toHaveLength(1)
    expect(
      clustersOf([recordOf('a', before, { until: day }), recordOf('b', after, { from: day })]),
    ).toHaveLength(2)
  })
  test('a name alone links nothing', () => {
    const named = { hostname: ['web-1.corp.example'] }
    expect(clustersOf([recordOf('a', named), recordOf('b', named)])).toHaveLength(2)
  })
})

describe('quirk 4: what a person separated stays separated', () => {
  const one = { serial: ['PF0ABC12'], mac: ['3c:2a:f4:02:34:5f'] }
  const [a, b, c] = [recordOf('a', one), recordOf('b', one), recordOf('c', one)]
  const cannot: Constraint = { kind: 'cannot_link', a: a.id, b: b.id }
  test('whatever else arrives', () => {
    expect(clustersOf([a, b])).toHaveLength(1)
    expect(clustersOf([a, b], [cannot])).toEqual([['a'], ['b']])
    expect(clustersOf([a, b, c], [cannot])).toEqual([['a', 'c'], ['b']])
    expect(candidatePair(a, b, NOBODY)?.score).toBeGreaterThan(0.9)
  })
  test('and what a person joined stays joined, with what belongs to either', () => {
    const [first, second] = [recordOf('a', { serial: ['PF0ABC12'] }), recordOf('b', { serial: ['PF0XYZ99'] })]
    const must: Constraint = { kind: 'must_link', a: first.id, b: second.id }
    expect(clustersOf([first, second])).toHaveLength(2)
    expect(clustersOf([first, second], [must])).toHaveLength(1)
    const more = [recordOf('c', { serial: ['PF0ABC12'] }), recordOf('d', { serial: ['PF0XYZ99'] })]
    expect(clustersOf([first, second, ...more], [must])).toHaveLength(1)
  })
})

describe('quirk 5: junk serials and UUIDs link nothing', () => {
  test.each([
    ['serial', 'Default string'],
    ['serial', 'To Be Filled By O.E.M.'],
    ['smbios_uuid', '03000200-0400-0500-0006-000700080009'],
    ['smbios_uuid', '00000000-0000-0000-0000-000000000000'],
    ['mac', '00:00:5e:00:01:01'],
  ])('%s %s', (type, value) => {
    const junk = { [type]: [value], hostname: ['pc-1'] }
    expect(clustersOf([recordOf('a', junk), recordOf('b', junk)])).toHaveLength(2)
  })
  test('nor is a junk serial a contradiction', () => {
    const board = { smbios_uuid: ['4c4c4544-0043-3510-8052-b9c04f4a3632'] }
    const [junk, good] = [
      { ...board, serial: ['None'] },
      { ...board, serial: ['PF0ABC12'] },
    ]
    expect(clustersOf([recordOf('a', junk), recordOf('b', good)])).toHaveLength(1)
  })
})

describe('quirk 6: many cards, addresses and random MAC addresses are one device', () => {
  const nics = ['3c:2a:f4:02:34:5f', '3c:2a:f4:02:34:60', '3c:2a:f4:02:34:61']
  test('a router that SNMP describes holds all that the sweep saw', () => {
    const router = recordOf('snmp', {
      snmp_engine: ['80001f8880e9'],
      mac: nics,
      ip: ['10.0.0.1', '10.1.0.1', '10.2.0.1'],
    })
    const swept = nics.map((mac, i) => recordOf(`sweep-${i}`, { mac: [mac], ip: [`10.${i}.0.1`] }))
    expect(clustersOf(swept)).toHaveLength(3)
    expect(clustersOf([...swept, router])).toHaveLength(1)
  })
  test('a laptop with dock and Wi-Fi', () => {
    const agent = recordOf('agent', { agent_key: ['k1'], mac: nics, hostname: ['lap-7'] })
    const swept = nics.slice(1).map((mac) => recordOf(mac, { mac: [mac], hostname: ['lap-7'] }))
    expect(clustersOf([agent, ...swept])).toHaveLength(1)
  })
  test('a random MAC address is weak evidence', () => {
    const phone = { mac: ['da:a1:19:00:00:01'] }
    expect(clustersOf([recordOf('a', phone), recordOf('b', phone)])).toHaveLength(2)
  })
  test('a dock that three laptops share joins none of them', () => {
    const dock = nics[0] ?? ''
    const laptops = ['1', '2', '3'].map((n) =>
      recordOf(n, { serial: [`PF-${n}0X`], mac: [dock], hostname: [`lap-${n}`] }),
    )
    expect(clustersOf(laptops)).toHaveLength(3)
    expect(allShared(laptops).has(`mac ${dock}`)).toBe(true)
  })
})

describe('an observation that tells only an address', () => {
  const bare = { ip: ['10.0.0.5'] }
  const server = { serial: ['PF0ABC12'], ip: ['10.0.0.5'] }
  test('is the machine that has the address at that time', () => {
    expect(clustersOf([recordOf('sweep', bare), recordOf('csv', server)])).toEqual([['csv', 'sweep']])
    expect(
      clustersOf([recordOf('sweep', bare, { from: 60 * MINUTE }), recordOf('csv', server)]),
    ).toHaveLength(2)
  })
  test('is one with others of the same address and time', () => {
    const phone = { ...bare, mac: ['da:a1:19:00:00:01'] }
    expect(
      clustersOf([recordOf('sweep', bare), recordOf('nmap', { ...bare, ptr_name: ['h5.corp.example'] })]),
    ).toHaveLength(1)
    expect(clustersOf([recordOf('sweep', phone), recordOf('nmap', phone)])).toHaveLength(1)
    expect(
      clustersOf([recordOf('sweep', phone), recordOf('nmap', { ...bare, mac: ['da:a1:19:00:00:02'] })]),
    ).toHaveLength(2)
  })
  test('is nobody where two hold the address at once', () => {
    const other = { serial: ['PF0XYZ99'], ip: ['10.0.0.5'] }
    expect(
      clustersOf([recordOf('sweep', bare), recordOf('csv', server), recordOf('snmp', other)]),
    ).toHaveLength(3)
  })
  test('is the last holder where a lease went from hand to hand', () => {
    const day = 24 * 60 * MINUTE
    const matchRecords = [
      recordOf('sweep', bare, { until: 3 * day }),
      recordOf('first', server, { until: day }),
      recordOf('second', { serial: ['PF0XYZ99'], ip: ['10.0.0.5'] }, { from: 2 * day, until: 3 * day }),
    ]
    expect(clustersOf(matchRecords)).toEqual([['first'], ['second', 'sweep']])
  })
  test('follows its neighbour, and joins no two machines', () => {
    const day = 24 * 60 * MINUTE
    const matchRecords = [
      recordOf('csv', server),
      recordOf('nmap', bare, { from: 2 * day }),
      recordOf('sweep', bare, { until: 3 * day }),
    ]
    expect(clustersOf(matchRecords)).toEqual([['csv', 'nmap', 'sweep']])
    const both = recordOf('sweep', { ip: ['10.0.0.5', '10.0.0.6'] })
    const others = [recordOf('csv', server), recordOf('ssh', { serial: ['PF0XYZ99'], ip: ['10.0.0.6'] }, {})]
    expect(clustersOf([both, ...others])).toHaveLength(3)
  })
})
