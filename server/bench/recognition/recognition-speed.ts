import { signalsIn } from '#features/recognition/readers/fingerprints.ts'
import { recognize } from '#features/recognition/recognition.ts'
import { rules } from '#features/recognition/rules.ts'
import type { Corpus } from './recognition-corpus.ts'

const TEXT_LENGTH = 5_000

/** Recognitions a second on one core: each a MAC address, an address, a host name and a text of a device. */
export function speedOver({ examples, macs }: Corpus, seconds: number): number {
  const asked = examples.map(({ key, text }, at) => ({
    ...signalsIn({ [key]: text }, 'banner'),
    mac: macs[at % macs.length]!.mac,
    ip: '192.0.2.1',
    hostname: 'host-17.example.net',
  }))
  let count = 0
  // Processor time, so that whatever else runs on the machine does not count.
  const start = process.cpuUsage()
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    for (const signals of asked) recognize(signals)
    count += asked.length
  }
  const { user, system } = process.cpuUsage(start)
  return Math.floor((count * 1_000_000) / (user + system))
}

/** The longest that a text made to be slow takes, in milliseconds: the best of three tries each. */
export function slowestMs(): number {
  return Math.max(...hostileTexts().map((text) => Math.min(...[0, 1, 2].map(() => msFor(text)))))
}

function msFor(text: string): number {
  const start = performance.now()
  recognize({ texts: [{ source: 'banner', text }] })
  return performance.now() - start
}

/** How many known words lie between two that are repeated. */
const EVERY = 160

/** Repetitions of known words, beginnings of all of them, and what makes backtracking engines slow. */
export function hostileTexts(): string[] {
  const words = rules().flatMap(({ words = [], lines = [], models = [] }) => [...words, ...lines, ...models])
  const plain = words.map((word) => word.replaceAll(/[=*]/g, '').replaceAll('#', '7'))
  const repeated = [...new Set(plain)].map((word) => `${word} `)
  return [
    ...repeated.filter((_, at) => at % EVERY === 0),
    `${plain.join(' ')} `,
    'a',
    ' ',
    '-',
    'a-',
    '1.',
    '((',
    'a1',
    'cisco 1',
    '\u0130',
    '\u0000',
    '=',
    'aaaa ',
    '<',
    '😀',
  ].map((text) => text.repeat(Math.ceil(TEXT_LENGTH / text.length)).slice(0, TEXT_LENGTH))
}
