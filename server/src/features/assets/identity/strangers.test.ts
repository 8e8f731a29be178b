import { describe, expect, test } from 'vitest'
import { evidence } from './evidence.ts'
import { candidatePair, cluster } from './identity.ts'
import { matchRecord, valueKey } from './match-record.ts'
import { decisionOn, MINUTE, recordOf } from './match-records.fixture.ts'
import { isPlainSerial } from './plain-serials.ts'

/** Never two strangers in one asset: what is not sure is a question. */

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UUID = '4c4c4544-0043-3510-8052-b9c04f4a3632'
const key = (letter: string) => `sha256:${letter.repeat(43)}`

describe('two that are there at once, with other MAC addresses and other addresses', () => {
  const here = { mac: ['00:25:90:10:00:01'], ip: ['10.1.0.1'] }
  const there = { mac: ['00:25:90:10:00:02'], ip: ['10.1.0.2'] }
  test.each([
    ['the UUID of a cloned guest', { smbios_uuid: [UUID] }, 'asked'],
    ['machine id and name of an image', { machine_id: ['a1b2c3'], hostname: ['golden'] }, 'asked'],
    ['host key and full name', { ssh_host_key: [key('k')], hostname: ['web.example.org'] }, 'asked'],
    ['the agent key of a copied configuration', { agent_key: ['k1'] }, 'asked'],
    ['what a directory calls them', { management_id: ['d-1'] }, 'asked'],
    [
      'UUID, machine id, host key and name',
      { smbios_uuid: [UUID], machine_id: ['a1'], hostname: ['x1'] },
      'asked',
    ],
    ['a serial', { serial: ['PF0ABC12'] }, 'one'],
    ['a plain serial', { serial: ['12345A'], smbios_uuid: [UUID] }, 'asked'],
    ['the id of a cloud', { cloud_id: ['aws:i-0abc'] }, 'one'],
    ['a bare name', { hostname: ['web'] }, 'two'],
  ])('share %s', (_, common, decision) => {
    const [a, b] = [recordOf('a', { ...here, ...common }), recordOf('b', { ...there, ...common })]
    expect(decisionOn(a, b)).toBe(decision)
    expect(decisionOn(b, a)).toBe(decision)
  })

  const clone = { smbios_uuid: [UUID] }
  test('are one when the network card was exchanged', () => {
    const before = recordOf('a', { ...here, ...clone }, { until: DAY })
    expect(decisionOn(before, recordOf('b', { ...there, ...clone }, { from: 4 * DAY, until: 5 * DAY }))).toBe(
      'one',
    )
    expect(decisionOn(before, recordOf('b', { ...there, ...clone }, { from: DAY, until: 5 * DAY }))).toBe(
      'asked',
    )
  })
  test('are one when a third has network cards of both', () => {
    const both = recordOf('c', { mac: [...here.mac, ...there.mac], ip: ['10.1.0.1'], ...clone })
    const [a, b] = [recordOf('a', { ...here, ...clone }), recordOf('b', { ...there, ...clone })]
    expect(decisionOn(a, b, both)).toBe('one')
  })
  test('are not made one by an address that each has in common with a third', () => {
    // two agents show this card, so it says nothing
    const shared = new Set([valueKey('mac', '00:25:90:10:00:02')])
    const records = [
      recordOf('a', { ...here, ...clone }),
      recordOf('b', { mac: there.mac, ip: [...here.ip, ...there.ip], ...clone }),
      recordOf('c', there),
    ]
    const keys = cluster({ matchRecords: records, constraints: [], shared }).map(({ members }) =>
      members.map((it) => it.key).toSorted(),
    )
    expect(keys).toEqual([['a', 'b'], ['c']])
  })
  test('are not made one by a third that has no network card', () => {
    const records = [
      recordOf('a', { ...here, ...clone }),
      recordOf('b', { ...there, ...clone }),
      recordOf('c', { ...clone, hostname: ['golden'] }),
    ]
    expect(cluster({ matchRecords: records, constraints: [], shared: new Set() })).toHaveLength(2)
  })
  test('nor by one that has the network card of the first and the address of the other', () => {
    const between = recordOf('c', { mac: here.mac, ip: there.ip, ...clone })
    const records = [recordOf('a', { ...here, ...clone }), recordOf('b', { ...there, ...clone }), between]
    for (const { members } of cluster({ matchRecords: records, constraints: [], shared: new Set() }))
      expect(members.map((it) => it.key)).not.toEqual(expect.arrayContaining(['a', 'b']))
  })
  test('without any network card seen, a machine id and a name at two addresses are a question', () => {
    const image = { machine_id: ['a1b2c3'], hostname: ['golden'] }
    const [a, b] = [
      recordOf('a', { ...image, ip: ['10.1.0.1'] }),
      recordOf('b', { ...image, ip: ['10.1.0.2'] }),
    ]
    expect(decisionOn(a, b)).toBe('asked')
    expect(decisionOn(a, recordOf('b', { ...image, ip: ['10.1.0.1'] }))).toBe('one')
    expect(decisionOn(a, recordOf('b', image))).toBe('one')
  })
})

describe('a value that its source no longer reports', () => {
  /** Had `old` for the first two days, then `now` until the fifth. */
  const moved = (old: Record<string, string[]>, now: Record<string, string[]>, name = 'a') => {
    const [before, after] = [recordOf(name, old, { until: DAY }), recordOf(name, now, { until: 5 * DAY })]
    return matchRecord({
      ...before,
      vendor: undefined,
      identifierPeriods: [
        ...[...before.identifierPeriods.values()].filter(
          ({ type, value }) => !after.identifierPeriods.has(`${type} ${value}`),
        ),
        ...after.identifierPeriods.values(),
      ].map((period) => ({
        ...period,
        ended: !after.identifierPeriods.has(`${period.type} ${period.value}`),
      })),
    })
  }
  const dock = ['00:e0:4c:11:22:33']
  const own = { machine_id: ['a1b2c3'], hostname: ['lap'] }
  test('links nothing once another has it', () => {
    const first = moved(
      { mac: dock, hostname: ['lap-7'] },
      { mac: ['3c:2a:f4:02:34:01'], hostname: ['lap-7'] },
    )
    const late = recordOf('b', { mac: dock, hostname: ['lap-7'] }, { from: 3 * DAY, until: 5 * DAY })
    expect(evidence(first, late, new Set()).reasons.map(({ type }) => type)).toEqual(['hostname'])
    const then = recordOf('b', { mac: dock, hostname: ['lap-7'] }, { from: HOUR, until: DAY })
    expect(evidence(first, then, new Set()).score).toBeGreaterThan(0.9)
  })
  test('links nothing where the other reports it on for more than a day', () => {
    const first = moved({ mac: dock }, { mac: ['3c:2a:f4:02:34:01'] })
    expect(evidence(first, recordOf('b', { mac: dock }, { until: 4 * DAY }), new Set()).score).toBe(0)
  })
  test('still links where the other stopped with it', () => {
    const first = moved({ ...own, mac: dock }, { ...own, mac: ['3c:2a:f4:02:34:01'] })
    expect(decisionOn(first, recordOf('b', { mac: dock, hostname: ['lap'] }, { until: DAY + HOUR }))).toBe(
      'one',
    )
  })
  test('disarms no veto once another has it: a board that went to another case', () => {
    const vendor = 'Acme'
    const first = moved({ serial: ['PF0AAA11'] }, { serial: ['PF0BBB22'] })
    const second = recordOf(
      'b',
      { serial: ['PF0AAA11'], smbios_uuid: [UUID] },
      { from: 3 * DAY, until: 5 * DAY, vendor },
    )
    const withUuid = matchRecord({
      ...first,
      vendor,
      identifierPeriods: [
        ...first.identifierPeriods.values(),
        ...recordOf('x', { smbios_uuid: [UUID] }, { until: 5 * DAY }).identifierPeriods.values(),
      ],
    })
    expect(candidatePair(withUuid, second, new Set())?.veto).toMatchObject({ type: 'serial', a: 'PF0BBB22' })
    expect(decisionOn(withUuid, second)).toBe('asked')
  })
})

describe('a serial whose maker nobody knows', () => {
  test.each([
    ['12345A', true],
    ['A1234567', true],
    ['0000001234', true],
    ['00000042', true],
    ['11112222', true],
    ['87654321', true],
    ['10023345', true],
    ['ABCDEF1', true],
    ['SN-001', true],
    ['SN1234567890', true],
    ['X0123456789012', true],
    ['PF0ABC12', false],
    ['ABC1234', false],
    ['5CG8203LQX', false],
    ['CNU0183F9K', false],
    ['VMWARE-42 1A 9F 3C', false],
    ['1002334519', false],
  ])('%s is plain: %s', (serial, plain) => expect(isPlainSerial(serial)).toBe(plain))

  test.each([
    ['12345A', undefined, 'asked'],
    ['12345A', 'Acme', 'one'],
    ['PF0ABC12', undefined, 'one'],
  ])('%s of maker %s', (serial, vendor, decision) => {
    const tells = { serial: [serial] }
    expect(decisionOn(recordOf('a', tells, { vendor }), recordOf('b', tells, { vendor }))).toBe(decision)
  })
  test('asks with a name too', () => {
    const tells = { serial: ['12345A'], hostname: ['web-1'] }
    expect(decisionOn(recordOf('a', tells), recordOf('b', tells))).toBe('asked')
  })
})

describe('scopes', () => {
  const berlin = { scope: 'berlin' }
  const mac = ['00:25:90:10:00:01']
  test.each([
    ['an address', { ip: ['10.0.0.5'] }, 'two'],
    ['address and MAC address', { ip: ['10.0.0.5'], mac }, 'two'],
    ['address, MAC address and name', { ip: ['10.0.0.5'], mac, hostname: ['printer-3'] }, 'two'],
    ['a chassis id that is a MAC address', { chassis_id: mac, ip: ['10.0.0.5'] }, 'two'],
    ['a serial', { serial: ['PF0ABC12'], ip: ['10.0.0.5'] }, 'one'],
  ])('%s in two of them', (_, tells, decision) => {
    expect(decisionOn(recordOf('a', tells), recordOf('b', tells, berlin))).toBe(decision)
  })
  test('one random name and phone each', () => {
    const phone = (mac: string) => ({ mac: [mac], hostname: ['jans-phone'] })
    const [a, b] = [recordOf('a', phone('da:a1:19:00:00:01')), phone('da:a1:19:00:00:02')]
    expect(decisionOn(a, recordOf('b', b, { from: 9 * DAY, ...berlin }))).toBe('two')
  })
})

describe('the same MAC address at the same address', () => {
  const ip = ['10.0.0.5']
  test.each([
    ['universal', '00:25:90:10:00:01'],
    ['of a guest', '52:54:00:12:34:56'],
    ['random', 'da:a1:19:00:00:01'],
  ])('%s is one machine whatever the time between', (_, mac) => {
    const tells = { mac: [mac], ip }
    const late = { from: 90 * DAY }
    expect(decisionOn(recordOf('a', tells), recordOf('b', tells, late))).toBe('one')
    const named = { ...tells, hostname: ['lap-7'] }
    expect(decisionOn(recordOf('a', named), recordOf('b', named, late))).toBe('one')
    expect(decisionOn(recordOf('a', named), recordOf('b', tells, late))).toBe('one')
  })
  test('on the inside of every host with containers it is not', () => {
    const inside = { mac: ['02:42:ac:11:00:02'], ip: ['172.17.0.2'] }
    const [a, b] = [
      recordOf('a', { ...inside, hostname: ['runner'] }),
      recordOf('b', { ...inside, hostname: ['runner'] }, { from: 9 * DAY }),
    ]
    expect(decisionOn(a, b)).not.toBe('one')
  })
})

describe('a random MAC address that the agent itself reports', () => {
  const mac = ['da:a1:19:00:00:01']
  const agent = recordOf('agent', { agent_key: ['k1'], mac, hostname: ['lap-7'] })
  test('is as good as a universal one', () => {
    expect(decisionOn(agent, recordOf('sweep', { mac, hostname: ['lap-7'] }))).toBe('one')
    const other = recordOf('other', { mac, hostname: ['lap-7'] })
    expect(decisionOn(other, recordOf('sweep', { mac, hostname: ['lap-7'] }))).toBe('asked')
    expect(evidence(agent, recordOf('sweep', { mac }), new Set()).score).toBe(0.85)
  })
})

describe('a random MAC address that a scan sees again at another address', () => {
  const seen = (key: string, ip: string, more: Record<string, string[]> = {}) =>
    recordOf(key, { mac: ['da:a1:19:00:00:01'], ip: [ip], ...more }, { from: key === 'a' ? 0 : 9 * DAY })
  test('is asked about, whatever it is called', () => {
    expect(decisionOn(seen('a', '10.0.0.5'), seen('b', '10.0.0.6'))).toBe('asked')
    const name = { hostname: ['iphone'] }
    expect(decisionOn(seen('a', '10.0.0.5', name), seen('b', '10.0.0.6', name))).toBe('asked')
  })
  test('is nobody’s where a host lists it beside others, or containers have it', () => {
    const bridge = { mac: ['da:a1:19:00:00:01', '00:25:90:00:00:01'] }
    expect(decisionOn(seen('a', '10.0.0.5'), recordOf('b', bridge))).toBe('two')
    const inside = { mac: ['02:42:ac:11:00:02'] }
    expect(decisionOn(recordOf('a', inside), recordOf('b', inside))).toBe('two')
  })
})

describe('a phone that takes another random MAC address each week', () => {
  const week = (n: number, name = 'jans-phone', seen = n) =>
    recordOf(
      `week-${n}`,
      { mac: [`da:a1:19:00:00:0${n}`], hostname: [name], ip: [`10.0.0.${n}`] },
      { from: seen * 7 * DAY, until: seen * 7 * DAY + 6 * DAY },
    )
  test('is asked about', () => expect(decisionOn(week(1), week(2))).toBe('asked'))
  test('is two where both are there at once', () =>
    expect(decisionOn(week(1), week(2, 'jans-phone', 1))).toBe('two'))
  test('is nobody where everybody is called so', () =>
    expect(decisionOn(week(1, 'iphone'), week(2, 'iphone'))).toBe('two'))
})
