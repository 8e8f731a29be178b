import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import multicastDns from 'multicast-dns'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import type { ProbeOptions, Progress } from './probe.ts'
import { Governor } from './governor/governor.ts'
import { sweep } from './sweep.ts'
import { RateLimiter } from './sweep/packet-rate-limit.ts'
import { PORTS } from './sweep/port-scan.ts'
import { reverseName } from './sweep/names/host-names.ts'
import { httpQuestion } from './sweep/services/http.ts'

/** Every address of 127.0.0.0/8 is this machine: a range of live hosts, whose ports refuse unless one listens. */
const RANGE = '127.77.1.0/28'
const HOST = '127.77.1.3'
const SEEN_AT = new Date('2026-11-21T00:00:00Z')

test('finds every live address of a range, its open ports and its names', async () => {
  const bytes = await listen(8080)
  await answerSearches()
  await answerNames(5353, [{ name: reverseName(HOST), type: 'PTR', data: 'camera-3.local' }])
  const dnsPort = await answerNames(0, [{ name: reverseName(HOST), type: 'PTR', data: 'cam.example.test' }])
  const progress: Progress[] = []
  const seen = await swept(RANGE, {
    dnsServers: [`127.77.1.3:${dnsPort}`],
    onProgress: (it) => void progress.push(it),
  })

  expect(seen.map((it) => it.identifiers[0]?.value).toSorted(byNumber)).toEqual(
    Array.from({ length: 16 }, (_, i) => `127.77.1.${i}`),
  )
  expect(seen.find((it) => it.sourceKey === `${HOST}|`)).toEqual({
    sourceKey: `${HOST}|`,
    seenAt: SEEN_AT,
    name: 'cam.example.test',
    identifiers: [
      { type: 'ip', value: HOST },
      { type: 'hostname', value: 'camera-3' },
      { type: 'ptr_name', value: 'cam.example.test' },
    ],
    facts: {
      openPorts: [8080],
      askedPorts: PORTS.toSorted((a, b) => a - b),
      foundBy: 'tcp',
      rttMs: expect.any(Number),
      mdnsName: 'camera-3.local',
      ssdpServer: 'Linux UPnP/1.0 Camera/3',
    },
  })
  // one question after its front page, and nothing else
  expect(bytes.received).toBe(httpQuestion(HOST).length)
  expect(bytes.failures).toEqual([])
  expect(progress.at(-1)).toMatchObject({ done: 16, total: 16, found: 16, remainingSeconds: 0 })
})

test('never touches the ports where printers print and machines are controlled', () => {
  const untouchable = [9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107, 102, 502, 44_818]
  expect(PORTS.filter((port) => untouchable.includes(port))).toEqual([])
})

test('finds a single host by its name', async () => {
  const seen = []
  for await (const one of sweep.run({ kind: 'host', host: 'localhost' }, options())) seen.push(one)
  expect(seen).toHaveLength(1)
  expect(['127.0.0.1', '::1']).toContain(seen[0]?.identifiers[0]?.value)
})

test('works on IPv6', async () => {
  expect((await swept('::1/128')).map((it) => it.sourceKey)).toEqual(['::1|'])
})

test('a range whose answers became slow is asked no more, and the next one is', async () => {
  const strain = vi.spyOn(RateLimiter.prototype, 'strainOn').mockReturnValueOnce('answers take 900 ms')
  const forget = vi.spyOn(RateLimiter.prototype, 'forgetRoundTrips')
  onTestFinished(() => [strain, forget].forEach((it) => it.mockRestore()))
  const governor = new Governor()
  const seen = []
  const target = { kind: 'range', entries: ['127.79.1.0/30', '127.80.1.1'], exclusions: [] } as const
  for await (const one of sweep.run(target, options({ governor }))) seen.push(one.sourceKey)
  expect(seen).toEqual(['127.80.1.1|'])
  expect(governor.stops).toEqual([{ at: '127.79.1.0/30', reason: 'answers take 900 ms', isHarm: true }])
  expect(forget).toHaveBeenCalledTimes(2)
})

test('of entries that lie side by side only the one whose answers became slow is asked no more', async () => {
  const slow = (path?: string) => (path === '127.79.1.0/30' ? 'answers take 900 ms' : undefined)
  const strain = vi.spyOn(RateLimiter.prototype, 'strainOn').mockImplementation(slow)
  onTestFinished(() => strain.mockRestore())
  const governor = new Governor()
  const seen = []
  const entries = ['127.79.1.0/30', '127.79.1.4-127.79.1.6', '127.79.9.1']
  for await (const one of sweep.run({ kind: 'range', entries, exclusions: [] }, options({ governor })))
    seen.push(one.sourceKey)
  expect(seen.toSorted()).toEqual(['127.79.1.4|', '127.79.1.5|', '127.79.1.6|', '127.79.9.1|'])
  expect(governor.stops.map(({ at }) => at)).toEqual(['127.79.1.0/30'])
})

test('ends when it is aborted, and what was found before stays', async () => {
  const stop = new AbortController()
  const seen: Observation[] = []
  const all = options({ signal: stop.signal, onProgress: ({ done }) => done > 0 && stop.abort() })
  const sweeping = (async () => {
    for await (const one of sweep.run({ kind: 'cidr', cidr: '127.78.0.0/25' }, all)) seen.push(one)
  })()
  await expect(sweeping).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen.length).toBeGreaterThanOrEqual(1)
  expect(seen.length).toBeLessThan(126)
})

test('one that is aborted before it begins sends nothing', async () => {
  await expect(swept(RANGE, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a reader that has enough ends it', async () => {
  for await (const one of sweep.run({ kind: 'cidr', cidr: '127.78.0.0/26' }, options())) {
    expect(one.identifiers).not.toEqual([])
    break
  }
})

test('a host name that does not resolve is an error with a hint', async () => {
  // A label that is too long for DNS: the resolver says no without asking anybody.
  const host = `${'x'.repeat(64)}.invalid`
  const run = async (): Promise<void> => {
    for await (const _ of sweep.run({ kind: 'host', host }, options())) void _
  }
  await expect(run()).rejects.toThrow(/\.invalid does not resolve; check/)
})

test.each([
  [{ kind: 'cidr', cidr: '10.0.0.0/24' } as const, true],
  [{ kind: 'host', host: 'printer' } as const, true],
  [{ kind: 'cidr', cidr: '10.0.0.0/8' } as const, expect.stringContaining('too large')],
])('accepts %j: %s', (target, answer) => {
  expect(sweep.accepts(target)).toEqual(answer)
})

/** Nobody answers at this name server; the system's own is never asked by a test. */
const NO_DNS = ['127.77.1.2:9']

function options(more: Partial<ProbeOptions> = {}): ProbeOptions {
  return { signal: new AbortController().signal, now: () => SEEN_AT, dnsServers: NO_DNS, ...more }
}

async function swept(cidr: string, more: Partial<ProbeOptions> = {}): Promise<Observation[]> {
  const seen = []
  for await (const one of sweep.run({ kind: 'cidr', cidr }, options(more))) seen.push(one)
  return seen
}

/** Greets like many services do, counts what it is sent, and notes connections that were not closed in order. */
async function listen(port: number): Promise<{ received: number; failures: Error[] }> {
  const bytes = { received: 0, failures: [] as Error[] }
  const server: Server = createServer((socket) => {
    socket.write('220 ready\r\n')
    socket.on('data', (data) => (bytes.received += data.length))
    socket.on('error', (error) => bytes.failures.push(error))
  })
  onTestFinished(() => void server.close())
  server.listen(port, HOST)
  await once(server, 'listening')
  return bytes
}

async function answerSearches(): Promise<void> {
  const device = createSocket('udp4')
  onTestFinished(() => void device.close())
  const answer = 'HTTP/1.1 200 OK\r\nSERVER: Linux UPnP/1.0 Camera/3\r\n\r\n'
  device.on('message', (_, from) => device.send(answer, from.port, from.address))
  device.bind(1900, HOST)
  await once(device, 'listening')
}

/** Answers DNS questions, multicast or not: the two differ in port only. Answers the port. */
async function answerNames(
  port: number,
  answers: { name: string; type: 'PTR'; data: string }[],
): Promise<number> {
  const socket = createSocket('udp4')
  const server = multicastDns({ socket, port, bind: HOST, multicast: false })
  onTestFinished(() => server.destroy())
  server.on('query', ({ id, questions }, from) => {
    const known = answers.filter((it) => (questions ?? []).some((question) => question.name === it.name))
    server.respond({ id, questions, answers: known } as never, from)
  })
  if (port === 0) socket.bind(0, HOST)
  await once(socket, 'listening')
  return socket.address().port
}

const byNumber = (a = '', b = ''): number => Number(a.split('.')[3]) - Number(b.split('.')[3])
