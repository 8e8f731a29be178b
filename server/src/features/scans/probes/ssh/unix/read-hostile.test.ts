import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountsIn, containersIn, listeningIn, servicesIn } from './read-activity.ts'
import { interfacesIn } from './read-network.ts'
import { disksIn, fileSystemsIn } from './read-storage.ts'
import { bootIn, cpuIn, hardwareIn, memoryIn, natureIn, releaseIn, unameIn } from './read-system.ts'

const reads: readonly ((text: string) => unknown)[] = [
  unameIn,
  (text) => releaseIn(text, {}),
  hardwareIn,
  cpuIn,
  memoryIn,
  bootIn,
  (text) => natureIn(text, {}, { isGuest: false }),
  interfacesIn,
  disksIn,
  (text) => fileSystemsIn(text, text),
  (text) => servicesIn(`manager=openrc\n${text}`),
  (text) => servicesIn(`manager=systemd\n${text}`),
  ...['ss', 'netstat', 'sockstat', 'bsd', 'tcp'].map(
    (form) => (text: string) => listeningIn(`form=${form}\n${text}`),
  ),
  accountsIn,
  (text) => containersIn({ text, code: 0, isCut: false }),
]

test('any answer is read without harm', () => {
  const snippet = fc.constantFrom(
    '\n',
    '\t',
    '=',
    ':',
    '1: eth0: ',
    'inet ',
    ' LISTEN ',
    '/dev/disk0 ',
    'ID=',
    '%',
    '[ ',
    '\u001b]',
  )
  const text = fc.array(fc.oneof(snippet, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...reads), text, (read, answer) => {
      expect(() => JSON.stringify(read(answer))).not.toThrow()
    }),
  )
})

test('a quarter of a megabyte of one hostile character after another is read in time', () => {
  for (const one of ['x', ' ', '\t', '\n', ':', '1 ', '[ ', '1%', '"', '\\', '\u001b[', 'inet ', '.']) {
    for (const read of reads) expect(() => read(one.repeat(262_144 / one.length))).not.toThrow()
  }
})
