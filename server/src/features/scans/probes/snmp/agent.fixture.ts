import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import type { Access, Credential, Outcome, SnmpCommunity } from '../credential-access.ts'
import { snmp } from '../snmp.ts'
import { element, integer, objectIdentifier, octets, Reader, tags } from './protocol/ber.ts'
import { compareOids, oid, type Oid } from './protocol/oid.ts'

/** What was asked over SNMPv1 or v2c. */
export interface Asked {
  readonly version: number
  readonly community: string
  /** 0xa0, 0xa1 or 0xa5. */
  readonly tag: number
  readonly id: number
  readonly repetitions: number
  readonly oids: readonly Oid[]
}

/** Instances by their object identifier; the values are encoded. */
export type Instances = Readonly<Record<string, Buffer>>

export interface TestAgent {
  readonly port: number
  readonly asked: readonly Asked[]
  readonly close: () => Promise<void>
}

/**
 * A device under the test's control, which may lie in any way: real agents, which do not, are met in the other tests.
 * `answer` gives the packets to send; `from` is another socket to send from.
 */
export async function testAgent(
  answer: (asked: Asked, packet: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>,
  from?: Socket,
): Promise<TestAgent> {
  const socket = createSocket('udp4')
  const asked: Asked[] = []
  socket.on('message', (packet, { port, address }) => {
    void (async () => {
      const question = questionIn(packet)
      if (question) asked.push(question)
      const none = { version: 3, community: '', tag: 0, id: 0, repetitions: 0, oids: [] }
      for (const each of await answer(question ?? none, packet)) (from ?? socket).send(each, port, address)
    })().catch(() => undefined) // the socket was closed meanwhile
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    asked,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Starts agents that are closed when the tests of the file have ended. */
export function agentsOfFile(): typeof testAgent {
  const agents: TestAgent[] = []
  afterAll(async () => {
    await Promise.all(agents.map((it) => it.close()))
  })
  return async (...args) => {
    const started = await testAgent(...args)
    agents.push(started)
    return started
  }
}

function questionIn(packet: Buffer): Asked | undefined {
  const reader = new Reader(packet).enter(tags.sequence)
  const version = reader.integer()
  if (version === 3) return undefined
  const community = reader.octets().toString()
  const { tag } = reader
  const pdu = reader.enter(tag)
  const id = pdu.integer()
  pdu.integer()
  const repetitions = pdu.integer()
  const list = pdu.enter(tags.sequence)
  const oids: Oid[] = []
  while (!list.isAtEnd) oids.push(list.enter(tags.sequence).oid())
  return { version, community, tag, id, repetitions, oids }
}

/** An answer with these variables, encoded. */
export function answerTo(
  { version, community, id }: Pick<Asked, 'version' | 'community' | 'id'>,
  variables: readonly Buffer[],
  { status = 0, index = 0 } = {},
): Buffer {
  return element(
    tags.sequence,
    integer(version),
    octets(community),
    element(0xa2, integer(id), integer(status), integer(index), element(tags.sequence, ...variables)),
  )
}

export const variable = (at: Oid, value: Buffer): Buffer =>
  element(tags.sequence, objectIdentifier(at), value)

export const END_OF_VIEW = Buffer.from([tags.endOfMibView, 0])
/** A full answer ends before what has no room. */
const PACKET_OCTETS_MAX = 8_000
const NO_SUCH_OBJECT = Buffer.from([tags.noSuchObject, 0])

/** What an honest agent that has these instances answers. */
export function answersOf(instances: Instances): (asked: Asked) => readonly Buffer[] {
  const all = Object.entries(instances)
    .map(([text, value]) => ({ at: oid(text), value }))
    .toSorted((a, b) => compareOids(a.at, b.at))
  const next = (after: Oid) => all.find(({ at }) => compareOids(at, after) > 0)
  return (asked) => {
    if (asked.tag === 0) return []
    if (asked.tag === 0xa0) {
      const found = asked.oids.map((at) => instances[at.join('.')])
      const missing = found.indexOf(undefined)
      if (missing >= 0 && asked.version === 0) return [answerTo(asked, [], { status: 2, index: missing + 1 })]
      return [
        answerTo(
          asked,
          asked.oids.map((at, i) => variable(at, found[i] ?? NO_SUCH_OBJECT)),
        ),
      ]
    }
    const variables: Buffer[] = []
    let cursors = asked.oids
    let room = PACKET_OCTETS_MAX
    for (let i = 0; i < Math.max(1, asked.repetitions) && (i === 0 || room > 0); i++) {
      const found = cursors.map(next)
      const missing = found.indexOf(undefined)
      if (missing >= 0 && asked.version === 0) return [answerTo(asked, [], { status: 2, index: missing + 1 })]
      variables.push(
        ...found.map((it, n) => variable(it?.at ?? cursors[n] ?? [1, 3], it?.value ?? END_OF_VIEW)),
      )
      room -= found.reduce((sum, it) => sum + (it?.value.length ?? 0), 0)
      cursors = found.map((it, n) => it?.at ?? cursors[n] ?? [1, 3])
    }
    return [answerTo(asked, variables)]
  }
}

export interface RecordedOutcome {
  readonly credential: string
  readonly outcome: Outcome
}

/** Shows these to every host, and keeps what was told of them. */
export function memoryAccess(...credentials: readonly Credential[]): {
  access: Access
  outcomes: RecordedOutcome[]
} {
  const outcomes: RecordedOutcome[] = []
  return {
    outcomes,
    access: {
      credentialsFor: (_, kinds) => Promise.resolve(credentials.filter((it) => kinds.includes(it.kind))),
      recordOutcome: (credential, _, outcome) => {
        outcomes.push({ credential: credential.name, outcome })
        return Promise.resolve()
      },
      knowHostKey: () => Promise.resolve('new'),
    },
  }
}

/** What a scan of this machine sees, and what became of the credentials. */
export async function look(
  credentials: readonly Credential[],
  {
    host = '127.0.0.1',
    signal = new AbortController().signal,
  }: { readonly host?: string; readonly signal?: AbortSignal } = {},
): Promise<{ seen: Observation; outcomes: readonly RecordedOutcome[] }> {
  const { access, outcomes } = memoryAccess(...credentials)
  const all: Observation[] = []
  for await (const seen of snmp.run({ kind: 'host', host }, { signal, now: () => new Date(), access }))
    all.push(seen)
  const [seen] = all
  if (!seen || all.length > 1) throw new Error(`${all.length} observations`)
  return { seen, outcomes }
}

export const community = (port: number, version: '1' | '2c' = '2c', text = 'public'): SnmpCommunity => ({
  id: '1',
  name: 'lab',
  kind: 'snmp_community',
  version,
  community: text,
  port,
})

/** A small router with what must not be taken for its own. */
export const router = {
  '1.3.6.1.2.1.1.1.0': octets('Cisco IOS Software, C2900 Software, Version 15.1(4)M4, RELEASE SOFTWARE'),
  '1.3.6.1.2.1.1.2.0': objectIdentifier(oid('1.3.6.1.4.1.9.1.1041')),
  '1.3.6.1.2.1.1.5.0': octets('edge-1.example.test'),
  '1.3.6.1.2.1.2.2.1.2.1': octets('GigabitEthernet0/0'),
  '1.3.6.1.2.1.2.2.1.2.2': octets('Loopback0'),
  '1.3.6.1.2.1.2.2.1.2.3': octets('docker0'),
  '1.3.6.1.2.1.2.2.1.3.1': integer(6),
  '1.3.6.1.2.1.2.2.1.3.2': integer(24),
  '1.3.6.1.2.1.2.2.1.3.3': integer(6),
  '1.3.6.1.2.1.2.2.1.6.1': octets(Buffer.from('001122334455', 'hex')),
  '1.3.6.1.2.1.2.2.1.6.3': octets(Buffer.from('024201020304', 'hex')),
  '1.3.6.1.2.1.4.20.1.2.10.0.0.1': integer(1),
  '1.3.6.1.2.1.4.20.1.2.10.0.0.254': integer(1),
  '1.3.6.1.2.1.4.20.1.2.172.17.0.1': integer(3),
  '1.3.6.1.2.1.68.1.4.1.2.1.7.10.0.0.254': integer(1),
  '1.3.6.1.2.1.4.22.1.2.1.10.0.0.9': octets(Buffer.from('00aabbccddee', 'hex')),
  '1.3.6.1.2.1.47.1.1.1.1.4.1': integer(0),
  '1.3.6.1.2.1.47.1.1.1.1.5.1': integer(3),
  '1.3.6.1.2.1.47.1.1.1.1.11.1': octets('FTX1234A5BC'),
  '1.3.6.1.2.1.47.1.1.1.1.13.1': octets('CISCO2911/K9'),
}
