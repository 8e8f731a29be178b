import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordFinder } from './word-finder.ts'

const found = (words: readonly string[], text: string): string[] =>
  wordFinder(words.map((word) => [word, word] as const))(text).map(({ of }) => of)

test.each([
  ['LaserJet', 'HP LASERJET 4250', true],
  ['laserjet', 'HP LaserJets', false],
  ['laserjet*', 'HP LaserJets', true],
  ['cam', 'webcam', false],
  ['cam', 'a_cam-1', true],
  ['ds-2*', 'DS-2CD2042WD-I', true],
  ['fgt#*', 'FGT60C login:', true],
  ['fgt#*', 'FGTX', false],
  ['=uos', 'UOS', true],
  ['=uos', 'UOS 3', false],
  ['=mws*', 'MWS 0.01', true],
  ['_ipp._tcp', 'x._ipp._tcp.local', true],
  ['océ', 'Océ 3165', true],
  ['ab', 'ab', true],
])('%s in "%s": %s', (word, text, isThere) => {
  expect(found([word], text)).toEqual(isThere ? [word] : [])
})

test('a place in the text is its place whatever the letters become', () => {
  expect(wordFinder([['zebra', 1]])('İİ zebra')).toEqual([{ at: 3, length: 5, of: 1 }])
})

test('words that begin alike are all found, in the order in which they were given', () => {
  const words = ['acme router', 'acme', 'acme r*', 'acme ro*', 'acme#', 'acme printer', 'acme router x']
  expect(found(words, 'the acme router')).toEqual(['acme router', 'acme', 'acme r*', 'acme ro*'])
  expect(found(words, 'acme7')).toEqual(['acme#'])
})

test('a word that does not begin with two letters is refused', () => {
  expect(() => wordFinder([['x', 1]])).toThrow('two letters')
  expect(() => wordFinder([['#1a', 1]])).toThrow('two letters')
})

test('property: a whole word is found wherever spaces stand round it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(letters, fc.string(), fc.string(), (word, before, after) => {
      expect(found([word], `${before} ${word} ${after}`)).toContain(word)
    }),
  )
})
