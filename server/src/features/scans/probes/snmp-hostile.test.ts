import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProbeFailure } from './probe.ts'
import {
  agentsOfFile,
  answerTo,
  community,
  answersOf,
  look,
  router,
  variable,
  type Asked,
} from './snmp/agent.fixture.ts'
import { integer, octets } from './snmp/protocol/ber.ts'

/** Agents that fall silent are waited for, some seconds each; so these tests wait side by side. */
const LONG = 120_000
const agent = agentsOfFile()

describe.concurrent('a device that', () => {
  const systemOnly = answersOf(Object.fromEntries(Object.entries(router).slice(0, 3)))
  const isTable = (asked: Asked): boolean => asked.tag !== 0xa0

  test.each([
    ['goes backwards', (at: readonly number[]) => [...at.slice(0, -1), 0]],
    ['answers with what was asked', (at: readonly number[]) => at],
  ])('%s is left with what was good', async (_, wrong) => {
    const { port, asked } = await agent((it) =>
      isTable(it)
        ? [
            answerTo(
              it,
              it.oids.map((at) => variable(wrong(at), integer(1))),
            ),
          ]
        : systemOnly(it),
    )
    const { seen } = await look([community(port)])
    expect(seen.name).toBe('edge-1.example.test')
    expect(asked.length).toBeLessThan(200)
  })

  test('never comes to the end of a table is cut at a number of rows', { timeout: LONG }, async () => {
    const { port } = await agent((asked) => {
      if (!isTable(asked)) return systemOnly(asked)
      // only ifTable has no end
      if (!asked.oids[0]?.join('.').startsWith('1.3.6.1.2.1.2.2.')) return answersOf({})(asked)
      const variables = Array.from({ length: Math.max(asked.repetitions, 1) }, (_, i) =>
        asked.oids.map((at) => {
          const isRoot = at.length === 10
          const row = isRoot ? i + 1 : (at.at(-1) ?? 0) + i + 1
          return variable([...at.slice(0, 10), row], integer(row))
        }),
      )
      return [answerTo(asked, variables.flat())]
    })
    const { seen } = await look([community(port)])
    expect(seen.facts?.['cuts']).toEqual([{ table: 'ifTable', why: 'has more than 4096 rows', rows: 4096 }])
    expect(JSON.stringify(seen.facts).length).toBeLessThan(65_536)
  })

  test('stops answering in the middle is observed with what was read', { timeout: LONG }, async () => {
    let isGone = false
    const { port } = await agent((asked) => {
      isGone ||= isTable(asked)
      return isGone ? [] : systemOnly(asked)
    })
    const { seen } = await look([community(port)])
    expect(seen.name).toBe('edge-1.example.test')
    const cuts = seen.facts?.['cuts'] as { why: string }[]
    expect(new Set(cuts.map((it) => it.why))).toEqual(new Set(['the agent stopped answering']))
  })

  test('has one table that it never answers about is read without it', { timeout: LONG }, async () => {
    const whole = answersOf(router)
    const isSilentAt = (asked: Asked): boolean =>
      isTable(asked) && asked.oids.some((at) => at.join('.').startsWith('1.3.6.1.2.1.4.20.1.'))
    const { port } = await agent((asked) => (isSilentAt(asked) ? [] : whole(asked)))
    const { seen } = await look([community(port)])
    expect(seen.facts?.['cuts']).toEqual([{ table: 'ipAddrTable', why: 'no answer', rows: 0 }])
    expect(seen.identifiers).toContainEqual({ type: 'mac', value: '00:11:22:33:44:55' })
  })

  test('says enormous and broken things is believed in bounds', async () => {
    const { port } = await agent(
      answersOf({
        ...router,
        '1.3.6.1.2.1.1.1.0': octets(Buffer.alloc(20_000, 0xff)),
        '1.3.6.1.2.1.1.4.0': octets(Buffer.from([0xed, 0xa0, 0x80, 0, 0x41])),
        '1.3.6.1.2.1.1.5.0': integer(7),
        '1.3.6.1.2.1.1.6.0': octets(`a\0b\u0007c\r\nd`),
        '1.3.6.1.2.1.2.2.1.6.1': integer(5),
        '1.3.6.1.2.1.2.2.1.6.3': octets(Buffer.alloc(2_000, 1)),
        '1.3.6.1.2.1.4.20.1.2.999.0.0.1': integer(1),
      }),
    )
    const { seen } = await look([community(port)])
    const json = JSON.stringify(seen)
    expect(json.length).toBeLessThan(20_000)
    expect(json).not.toContain('\\u0000')
    expect(json.isWellFormed()).toBe(true)
    expect(seen.facts).toMatchObject({ sysLocation: 'abc d' })
  })

  test('answers other questions than those asked is not heard', { timeout: LONG }, async () => {
    const { port } = await agent((asked) => [
      answerTo({ ...asked, id: asked.id + 1 }, []),
      answerTo({ ...asked, version: 0 }, []),
    ])
    await expect(look([community(port)])).rejects.toThrow(/lab \(SNMPv2c\): no answer from UDP port/)
  })

  test('answers from another port is not heard', { timeout: LONG }, async () => {
    const other = createSocket('udp4').bind(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = await agent(systemOnly, other)
    await expect(look([community(port)])).rejects.toThrow(/no answer/)
    other.close()
  })

  test('floods ends the question', { timeout: LONG }, async () => {
    const { port } = await agent(() => Array.from({ length: 3_000 }, () => Buffer.from('3003020101', 'hex')))
    await expect(look([community(port)])).rejects.toThrow(ProbeFailure)
  })

  test('answers with any bytes does no harm', { timeout: LONG }, async () => {
    const inside = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 60 }), 200)
    const { port } = await agent((asked, packet) => [
      ...inside.map((bytes) => Buffer.from(bytes)),
      ...inside.map((bytes, i) => spoilt(packet, i, bytes)),
      ...inside.map((bytes, i) => spoilt(systemOnly(asked)[0] ?? packet, i, bytes)),
    ])
    const over = look([community(port)]).catch((error: unknown) => error)
    expect([ProbeFailure, Object]).toContain((await over)?.constructor)
    const user = { id: '2', name: 'me', kind: 'snmp_user', username: 'me', port } as const
    const auth = { protocol: 'sha', password: 'maplesyrup' } as const
    await expect(look([{ ...user, auth }])).rejects.toBeInstanceOf(ProbeFailure)
  })
})

function spoilt(packet: Buffer, at: number, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(packet)
  copy.set(bytes.subarray(0, Math.max(0, copy.length - (at % copy.length))).subarray(0, 3), at % copy.length)
  return at % 5 === 0 ? copy.subarray(0, at % copy.length) : copy
}
