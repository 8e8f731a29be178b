import { expect, test } from 'vitest'
import { LANGUAGES } from './languages.ts'
import {
  findCloudFields,
  findFieldSources,
  findServerSentences,
  findServerTitles,
  readControls,
  readFields,
  readNist,
  readResults,
  readSentences,
  readTitles,
} from './server-sentences.ts'
import { namedInVain, untranslated } from './unseen-sentences.ts'

const { refusals, all } = findServerSentences()
const marksOf = (text: string): readonly string[] => (text.match(/\{\d+\}/g) ?? []).toSorted()

test.each(LANGUAGES)(
  'sentences of the server in %s are such as it says, with the same placeholders',
  (language) => {
    const sentences = Object.entries(readSentences(language))
    expect(sentences.filter(([english]) => !all.has(english)).map(([english]) => english)).toEqual([])
    expect(
      sentences
        .filter(([english, text]) => String(marksOf(english)) !== String(marksOf(text)))
        .map(([it]) => it),
    ).toEqual([])
  },
)

test.each(LANGUAGES)('%s has every refusal of the server that people read in the app', (language) => {
  expect(untranslated(refusals, readSentences(language))).toEqual([])
})

test('what needs no translation is said by the server', () => {
  expect(namedInVain(refusals)).toEqual([])
})

test.each(LANGUAGES)('%s has what is asked of a person to connect a cloud', (language) => {
  const titles = readTitles(language)
  // one word is a name in both, such as Token
  const isSentence = (text: string): boolean => / /.test(text)
  expect([...findCloudFields()].filter((it) => isSentence(it) && !(it in titles))).toEqual([])
})

test.each(LANGUAGES)('%s has who tells the fields of conditions', (language) => {
  const fields = readFields(language)
  expect([...findFieldSources()].filter((it) => !(it in fields))).toEqual([])
})

test.each(LANGUAGES)(
  'titles of the server in %s are such as it has, and every check and control has them',
  (language) => {
    const { checks, controls, nist } = findServerTitles()
    const words = { ...readTitles(language), ...readFields(language), ...readResults(language) }
    const ofControls = readControls(language)
    const ofNist = readNist(language)
    // the server joins clauses with commas
    const isSaid = (it: string): boolean => all.has(it) || checks.has(it) || all.has(it.replace(/^, /, ''))
    expect(Object.keys(words).filter((it) => !isSaid(it))).toEqual([])
    expect([...checks].filter((it) => !(it in words))).toEqual([])
    expect(Object.keys(ofControls).toSorted()).toEqual([...controls].toSorted())
    expect(Object.keys(ofNist).toSorted()).toEqual([...nist].toSorted())
    expect(
      Object.entries({ ...words, ...ofControls, ...ofNist })
        .filter(([english, text]) => text === '' || String(marksOf(english)) !== String(marksOf(text)))
        .map(([it]) => it),
    ).toEqual([])
  },
)
