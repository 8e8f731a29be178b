import { expect, test } from 'vitest'
import type { Kind } from '#features/recognition/confidence.ts'
import { tableOf, type Tally } from './calibration.ts'

const silent = (source: Kind['source'], asked: number, right: number): Tally => ({
  kind: { basis: 'silent', voice: 'greeting', ...(source && { source }) },
  maker: 'x',
  asked,
  right,
})
const word = (voice: Kind['voice'], asked: number, right: number): Tally => ({
  kind: { basis: 'word', voice },
  maker: 'x',
  asked,
  right,
})

test('kinds that say no type and differ by chance alone state one share; one that differs states its own', () => {
  const table = tableOf([
    silent('http', 60, 20),
    silent('telnet', 30, 9),
    silent('ssh', 3, 2),
    silent('ftp', 40, 0),
  ])
  const stated = Object.fromEntries(table.map(({ source, confidence }) => [source, confidence]))
  // 31 of 93, by the rule of succession
  expect(stated).toEqual({ http: 0.337, telnet: 0.337, ssh: 0.337, ftp: expect.closeTo(0.02, 1) })
  expect(table.map(({ asked }) => asked).toSorted((a, b) => a - b)).toEqual([3, 30, 40, 60])
})

test.each([
  // A lone voice is high from 99 of a hundred only, whatever others of its basis are worth.
  [word('greeting', 100, 99), 300, 0.79],
  [word('greeting', 101, 101), 300, 1],
  // A few that were all right are as good as their basis, fewer than five are not.
  [word('greeting', 5, 5), 300, 0.999],
  [word('greeting', 4, 4), 300, 0.79],
  [word('greeting', 29, 28), 300, 0.79],
  // Words of people never.
  [word('people', 200, 200), 300, 0.79],
] as const)('%o beside %i right words of descriptions states %d', (asked, descriptions, stated) => {
  const table = tableOf([word('description', descriptions, descriptions), asked])
  expect(table.find(({ voice }) => voice === asked.kind.voice)?.confidence).toBe(stated)
})

test('a maker of mostly one kind states 0.6 at most, a family and a maker of one kind alone are never high', () => {
  const bases = ['maker', 'family', 'sole'] as const
  const table = tableOf(
    bases.map((basis) => ({
      kind: { basis, voice: 'description' as const, verdict: 'type' as const },
      maker: 'x',
      asked: 200,
      right: 200,
    })),
  )
  const stated = Object.fromEntries(table.map(({ basis, confidence }) => [basis, confidence]))
  expect(stated).toEqual({ family: 0.79, maker: 0.6, sole: 0.79 })
})
