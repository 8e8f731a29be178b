import { execFile } from 'node:child_process'
import type { RateLimiter } from './packet-rate-limit.ts'

/** Asks one address with ICMP echo: the round trip in milliseconds, or `undefined`. */
export type Echo = (address: string) => Promise<number | undefined>

export interface EchoOptions {
  readonly rateLimiter: RateLimiter
  readonly signal: AbortSignal
  /** How many addresses may be asked in all. */
  readonly addresses: number
}

/** `ping` asks one address with one process: only for ranges up to this size, and so many at once. */
const PING_ADDRESSES_MAX = 1024
const PING_AT_ONCE = 64
/** `fping` asks this many with one process, 1 ms apart; addresses are gathered for so long at most. */
const BATCH = 32
const GATHER_MS = 20
const WAIT_MS = 700

/** `undefined` where no program may ask, or only one that is too slow for so many addresses. */
export async function openEcho(context: EchoOptions): Promise<Echo | undefined> {
  const program = await echoProgram(context.signal)
  if (program === 'fping') return fping(context)
  return program === 'ping' && context.addresses <= PING_ADDRESSES_MAX ? ping(context) : undefined
}

/**
 * ICMP needs a capability (CAP_NET_RAW) that `fping` and `ping` are installed with, so it is left to them: the first
 * of the two that gets an answer from the loopback.
 */
export async function echoProgram(signal: AbortSignal): Promise<'fping' | 'ping' | undefined> {
  const works = async (command: string, args: string[]) => (await output(command, args, signal)).status === 0
  if (await works('fping', ['-q', '-r', '0', '127.0.0.1'])) return 'fping'
  return (await works('ping', ['-q', '-c', '1', '127.0.0.1'])) ? 'ping' : undefined
}

function fping({ rateLimiter, signal }: EchoOptions): Echo {
  let batch: { address: string; answer: (rttMs: number | undefined) => void }[] = []
  let gathering: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(gathering)
    gathering = undefined
    const asked = batch
    batch = []
    const addresses = asked.map((it) => it.address)
    const { stdout } = await output(
      'fping',
      ['-a', '-e', '-r', '0', '-i', '1', '-t', `${WAIT_MS}`, ...addresses],
      signal,
    )
    const answers = readFping(stdout)
    for (const { address, answer } of asked) answer(answers.get(address))
  }
  return async (address) => {
    await rateLimiter.acquire(signal)
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    batch.push({ address, answer: resolve })
    if (batch.length === BATCH) void flush()
    else gathering ??= setTimeout(() => void flush(), GATHER_MS)
    return promise
  }
}

/** Lines such as `192.0.2.1 (0.048 ms)`. */
export function readFping(text: string): ReadonlyMap<string, number> {
  const lines = text.matchAll(/^(\S+) \(([\d.]+) ms\)$/gm)
  return new Map([...lines].map(([, address = '', rttMs]) => [address, Number(rttMs)]))
}

function ping({ rateLimiter, signal }: EchoOptions): Echo {
  const free: (() => void)[] = []
  let running = 0
  return async (address) => {
    if (running === PING_AT_ONCE) await new Promise<void>((resolve) => free.push(resolve))
    else running++
    try {
      await rateLimiter.acquire(signal)
      const { status, stdout } = await output('ping', ['-n', '-c', '1', '-W', '1', address], signal)
      return status === 0 ? readPing(stdout) : undefined
    } finally {
      const next = free.shift()
      if (next) next()
      else running--
    }
  }
}

/** The round trip in a line such as `64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.032 ms`; 0 when there is none. */
export const readPing = (text: string): number => Number(/ time[=<]([\d.]+) ms/.exec(text)?.[1] ?? 0)

/** What it prints, and -1 where it did not start or did not end by itself. */
function output(
  command: string,
  args: string[],
  signal: AbortSignal,
): Promise<{ status: number; stdout: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; stdout: string }>()
  try {
    const child = execFile(command, args, { signal, timeout: 10_000 }, (error, stdout) => {
      resolve({ status: error ? (child.exitCode ?? -1) : 0, stdout })
    })
  } catch {
    // Node throws where a program has a capability that this process may not have (EPERM)
    resolve({ status: -1, stdout: '' })
  }
  return promise
}
