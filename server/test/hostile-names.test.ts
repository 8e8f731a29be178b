import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openNet } from '#platform/egress/net.ts'
import { dnsServer, type DnsAnswer, type DnsQuestion } from './support/network/dns-server.ts'
import { receiver } from './support/http/webhook-receiver.ts'

/** Stands for the public internet: the one address that is admitted here, and where a receiver listens. */
const PUBLIC = '127.0.0.1'
/** Stands for the network inside, on the receiver's port: nobody may ever arrive there. */
const INSIDE = '127.0.0.2'
const METADATA = '169.254.169.254'

const DELIVERED = 200
const REFUSED = 'address_refused'
const UNKNOWN = 'host_not_found'
const LATE = 'timeout'
type End = typeof DELIVERED | typeof REFUSED | typeof UNKNOWN | typeof LATE

/** What the name server says, and how one attempt after another must end. */
interface Script {
  readonly says: (question: DnsQuestion) => DnsAnswer
  readonly ends: readonly End[]
}

const say = (answer: DnsAnswer) => () => answer
const addresses = (...them: string[]) => say({ addresses: them })
const inTurn = (...answers: readonly (readonly string[])[]) => {
  return ({ nth }: DnsQuestion) => ({ addresses: answers[nth % answers.length] ?? [], ttl: 0 })
}
const byType = (a: DnsAnswer, aaaa: DnsAnswer) => {
  return ({ type }: DnsQuestion) => (type === 'AAAA' ? aaaa : a)
}
const chain = (length: number) => Array.from({ length }, (_, n) => `alias-${n}.example`)
const many = (count: number) => Array.from({ length: count }, () => PUBLIC)

const scripts: Readonly<Record<string, Script>> = {
  'one public address': { says: addresses(PUBLIC), ends: [DELIVERED] },
  'one inside': { says: addresses(INSIDE), ends: [REFUSED] },
  'public, then inside': { says: addresses(PUBLIC, INSIDE), ends: [REFUSED] },
  'inside, then public': { says: addresses(INSIDE, PUBLIC), ends: [REFUSED] },
  'inside among public ones': { says: addresses(PUBLIC, INSIDE, PUBLIC), ends: [REFUSED] },
  'public, with loopback of the other family': { says: addresses(PUBLIC, '::1'), ends: [REFUSED] },
  'loopback of the other family alone': { says: addresses('::1'), ends: [REFUSED] },
  'public, with a unique local one': { says: addresses(PUBLIC, 'fd00::1'), ends: [REFUSED] },
  'public, with a link-local one': { says: addresses(PUBLIC, 'fe80::1'), ends: [REFUSED] },
  'public, and mapped': { says: addresses(PUBLIC, '::ffff:7f00:1'), ends: [REFUSED] },
  'mapped alone': { says: addresses('::ffff:7f00:1'), ends: [REFUSED] },
  'public, and by NAT64': { says: addresses(PUBLIC, '64:ff9b::7f00:1'), ends: [REFUSED] },
  'public, and by 6to4': { says: addresses(PUBLIC, '2002:7f00:1::1'), ends: [REFUSED] },
  'public, and unspecified': { says: addresses(PUBLIC, '::'), ends: [REFUSED] },
  unspecified: { says: addresses('0.0.0.0'), ends: [REFUSED] },
  'private use': { says: addresses('10.0.0.1', '172.16.0.1', '192.168.0.1'), ends: [REFUSED] },
  metadata: { says: addresses(METADATA), ends: [REFUSED] },
  'public, and metadata': { says: addresses(PUBLIC, METADATA), ends: [REFUSED] },
  'public, and metadata over IPv6': { says: addresses(PUBLIC, 'fd00:ec2::254'), ends: [REFUSED] },
  'public first, then inside': { says: inTurn([PUBLIC], [INSIDE]), ends: [DELIVERED, REFUSED] },
  'inside first, then public': { says: inTurn([INSIDE], [PUBLIC]), ends: [REFUSED, DELIVERED] },
  'public and inside in turn': {
    says: inTurn([PUBLIC], [INSIDE]),
    ends: [DELIVERED, REFUSED, DELIVERED],
  },
  'public first, then metadata': { says: inTurn([PUBLIC], [METADATA]), ends: [DELIVERED, REFUSED] },
  'public first, then both': { says: inTurn([PUBLIC], [PUBLIC, INSIDE]), ends: [DELIVERED, REFUSED] },
  'public for a day, then inside': {
    says: ({ nth }) => ({ addresses: [nth === 0 ? PUBLIC : INSIDE], ttl: 86_400 }),
    ends: [DELIVERED, REFUSED],
  },
  'public first, then nothing': { says: inTurn([PUBLIC], []), ends: [DELIVERED, UNKNOWN] },
  'public over IPv4, inside over IPv6 later': {
    says: ({ type, nth }) => ({ addresses: type === 'A' ? [PUBLIC] : nth === 0 ? [] : ['::1'] }),
    ends: [DELIVERED, REFUSED],
  },
  'an alias of a public one': {
    says: say({ aliases: ['a.example'], addresses: [PUBLIC] }),
    ends: [DELIVERED],
  },
  'an alias of one inside': { says: say({ aliases: ['a.example'], addresses: [INSIDE] }), ends: [REFUSED] },
  'a chain of aliases to a public one': {
    says: say({ aliases: chain(8), addresses: [PUBLIC] }),
    ends: [DELIVERED],
  },
  'a chain of aliases to one inside': {
    says: say({ aliases: chain(8), addresses: [INSIDE] }),
    ends: [REFUSED],
  },
  'an alias of localhost': { says: say({ aliases: ['localhost'], addresses: [INSIDE] }), ends: [REFUSED] },
  'an alias without an address': { says: say({ aliases: ['a.example'] }), ends: [UNKNOWN] },
  'an alias of itself': { says: say({ aliases: ['self.example', 'self.example'] }), ends: [UNKNOWN] },
  'the highest TTL': { says: say({ addresses: [PUBLIC], ttl: 2_147_483_647 }), ends: [DELIVERED] },
  'no such name': { says: say({ code: 3 }), ends: [UNKNOWN] },
  'no such name over IPv4, inside over IPv6': {
    says: byType({ code: 3 }, { addresses: ['::1'] }),
    ends: [REFUSED],
  },
  'no addresses': { says: say({}), ends: [UNKNOWN] },
  'server failure': { says: say({ code: 2 }), ends: [UNKNOWN] },
  'server failure for IPv6 alone': { says: byType({ addresses: [PUBLIC] }, { code: 2 }), ends: [DELIVERED] },
  'not implemented': { says: say({ code: 4 }), ends: [UNKNOWN] },
  'a refusal': { says: say({ code: 5 }), ends: [UNKNOWN] },
  'hundreds of records': { says: addresses(...many(400)), ends: [DELIVERED] },
  'one inside behind hundreds': { says: addresses(...many(400), INSIDE), ends: [REFUSED] },
  'one inside before hundreds': { says: addresses(INSIDE, ...many(400)), ends: [REFUSED] },
  'cut, in full over TCP': { says: say({ isTruncated: true, addresses: [PUBLIC] }), ends: [DELIVERED] },
  'cut, with one inside over TCP': {
    says: say({ isTruncated: true, addresses: [...many(200), INSIDE] }),
    ends: [REFUSED],
  },
  'public over UDP and cut, inside over TCP': {
    says: ({ isTcp }) => ({ isTruncated: true, addresses: [isTcp ? INSIDE : PUBLIC] }),
    ends: [REFUSED],
  },
  'cut, and silence over TCP': {
    says: ({ isTcp }) => (isTcp ? { isSilent: true } : { isTruncated: true }),
    ends: [LATE],
  },
  silence: { says: say({ isSilent: true }), ends: [LATE] },
  'a slow public one': { says: say({ addresses: [PUBLIC], delayMs: 400 }), ends: [DELIVERED] },
  'a slow one inside': { says: say({ addresses: [INSIDE], delayMs: 400 }), ends: [REFUSED] },
  'one inside, slower than the public one': {
    says: byType({ addresses: [PUBLIC] }, { addresses: ['::1'], delayMs: 400 }),
    ends: [REFUSED],
  },
  'an answer to another question': { says: say({ addresses: [PUBLIC], isForged: true }), ends: [LATE] },
  nonsense: { says: say({ bytes: Buffer.from('not a message of DNS at all') }), ends: [UNKNOWN] },
}

/** Longer than an answer of DNS is used again for. */
const BETWEEN_MS = 1_100
/** Those that nobody answers are given up; all others have ended long before, on a busy machine too. */
const BUDGET_MS = { late: 1_500, others: 30_000 }

async function scene() {
  const there = await receiver()
  let intruders = 0
  const trap = createServer((socket) => {
    intruders += 1
    socket.destroy()
  })
  trap.listen(there.port, INSIDE)
  await once(trap, 'listening')
  const hostOf = new Map(Object.keys(scripts).map((title, n) => [title, `script-${n}.example`]))
  const byHost = new Map([...hostOf].map(([title, host]) => [host, scripts[title]]))
  const names = await dnsServer(
    (name, _, question) => byHost.get(name.toLowerCase())?.says(question) ?? { code: 3 },
  )
  const net = openNet({ allowPrivate: [PUBLIC], dnsServers: [names.address] })
  onTestFinished(async () => {
    await net.close()
    trap.close()
  })
  const post = (title: string) =>
    net.post({
      url: new URL(`http://${hostOf.get(title)}:${there.port}/hook`),
      headers: {},
      body: Buffer.from(title),
      budgetMs: scripts[title]?.ends.includes(LATE) ? BUDGET_MS.late : BUDGET_MS.others,
    })
  return { there, intruders: () => intruders, post }
}

test('names lead to admitted addresses, or nowhere, whatever DNS says and when', async () => {
  const { there, intruders, post } = await scene()
  expect(Object.keys(scripts).length).toBeGreaterThanOrEqual(30)
  const play = async ([title, { ends }]: [string, Script]) => {
    const seen: unknown[] = []
    for (const [at] of ends.entries()) {
      if (at > 0) await sleep(BETWEEN_MS)
      const { status, fault } = await post(title)
      seen.push(status ?? fault)
    }
    return { title, ends: seen }
  }
  const played = await Promise.all(Object.entries(scripts).map(play))
  const wrong = played.filter(({ title, ends }) => ends.join() !== scripts[title]?.ends.join())
  expect(wrong).toEqual([])
  expect(intruders()).toBe(0)
  const arrived = Object.values(scripts).flatMap((it) => it.ends.filter((end) => end === DELIVERED))
  expect(there.requests).toHaveLength(arrived.length)
})
