import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { snmp } from './snmp.ts'
import {
  agentsOfFile,
  answerTo,
  community,
  answersOf,
  look,
  router,
  testAgent,
} from './snmp/agent.fixture.ts'

/** Agents that fall silent are waited for, some seconds each; so these tests wait side by side. */
const LONG = 120_000
const agent = agentsOfFile()

describe.concurrent('an honest device', () => {
  test.each(['1', '2c'] as const)('is read the same over SNMPv%s', async (version) => {
    const { port, asked } = await agent(answersOf(router))
    const { seen } = await look([community(port, version)])
    expect(seen).toMatchObject({
      sourceKey: '127.0.0.1|00:11:22:33:44:55',
      name: 'edge-1.example.test',
      os: 'Cisco IOS 15.1(4)M4',
      model: 'CISCO2911/K9',
      facts: { sysObjectID: '1.3.6.1.4.1.9.1.1041', virtualAddresses: ['10.0.0.254'] },
    })
    // neither the address that routers share, nor that of docker0, nor a neighbour
    expect(seen.identifiers).toEqual([
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '10.0.0.1' },
      { type: 'mac', value: '00:11:22:33:44:55' },
      { type: 'serial', value: 'FTX1234A5BC' },
      { type: 'hostname', value: 'edge-1.example.test' },
    ])
    expect(seen.facts).toMatchObject({
      nearby: [{ address: '10.0.0.9', mac: '00:aa:bb:cc:dd:ee', localInterface: 'GigabitEthernet0/0' }],
    })
    expect(seen.facts?.['cuts']).toBeUndefined()
    // it is only ever read
    expect(asked.every(({ tag }) => [0xa0, 0xa1, 0xa5].includes(tag))).toBe(true)
  })

  test('that bears only small answers is asked for less', async () => {
    const whole = answersOf(router)
    const { port } = await agent((asked) => {
      const size = asked.tag === 0xa5 ? asked.repetitions * asked.oids.length : asked.oids.length
      return size > 3 ? [answerTo(asked, [], { status: 1 })] : whole(asked)
    })
    const { seen } = await look([community(port)])
    expect(seen.facts?.['cuts']).toBeUndefined()
    expect(seen.identifiers).toContainEqual({ type: 'serial', value: 'FTX1234A5BC' })
  })

  test('that drops packets at times is read all the same', { timeout: LONG }, async () => {
    const whole = answersOf(router)
    let count = 0
    const { port } = await agent((asked) => (++count % 7 === 0 ? [] : whole(asked)))
    const { seen } = await look([community(port)])
    expect(seen.identifiers).toContainEqual({ type: 'mac', value: '00:11:22:33:44:55' })
  })
})

describe.concurrent('a scan', () => {
  test('ends soon when it is cancelled', async () => {
    const { port } = await agent(() => [])
    const stop = new AbortController()
    const looking = look([community(port)], { signal: stop.signal })
    await sleep(50)
    stop.abort(new Error('stopped by the test'))
    await expect(looking).rejects.toThrow('stopped by the test')
  })

  test('reports that a port is closed', async () => {
    const { port, close } = await testAgent(() => [])
    await close()
    await expect(look([community(port)])).rejects.toThrow(
      `SNMP on 127.0.0.1 lets nobody in. lab (SNMPv2c): UDP port ${port}: the port is closed.`,
    )
  })

  test('asks nothing without a credential', async () => {
    await expect(look([])).rejects.toThrow('no SNMP credential may be shown to 127.0.0.1')
  })

  test(
    'takes the better version first, and never the secret of one host in a message',
    { timeout: LONG },
    async () => {
      const { port, asked } = await agent((it) => (it.version === 0 ? answersOf(router)(it) : []))
      const user = { id: '2', name: 'me', kind: 'snmp_user', username: 'me', port } as const
      const { seen, outcomes } = await look([community(port, '1'), community(port), user])
      expect(seen.facts).toMatchObject({ askedBy: 'SNMPv1' })
      expect(outcomes.map((it) => it.outcome)).toEqual(['unanswered', 'unanswered', 'accepted'])
      expect(asked[0]?.version).toBe(1)
    },
  )

  test('is of one host', async () => {
    expect(snmp.accepts({ kind: 'cidr', cidr: '10.0.0.0/24' })).toMatch(/one host/)
    expect(snmp.accepts({ kind: 'host', host: 'switch.example.test' })).toBe(true)
  })

  test('of a name that does not resolve says so', async () => {
    await expect(look([], { host: 'no-such-host.invalid' })).rejects.toThrow(
      'the host name no-such-host.invalid does not resolve',
    )
  })
})
