import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTexts } from './find-texts.ts'
import type { FoundText } from './found-text.ts'
import { addressName } from '../src/ui/table/address-name.ts'

export interface Catalogue {
  /** By their English. `English @ features/x.tsx` is for that file, or that folder, alone. */
  readonly texts: Readonly<Record<string, string>>
  /** Words that come from the server: names of fields, states and kinds. */
  readonly words: Readonly<Record<string, string>>
}

export const readCatalogue = (language: string): Catalogue =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')) as Catalogue

/** The key in the catalogue of a text of a file; undefined: it has none. */
export function keyOf(text: string, file: string, { texts }: Catalogue): string | undefined {
  const places = file.split('/')
  const keys = places.map((_, at) => `${text} @ ${places.slice(0, places.length - at).join('/')}`)
  return [...keys, text].find((key) => texts[key] !== undefined)
}

/** A source with its texts in another language. A text without a translation stays; the tests name it. */
export function translateSource(code: string, file: string, catalogue: Catalogue): string {
  const found = findTexts(code, file)
  const write = (from: number, to: number): string => {
    let result = ''
    let at = from
    for (const text of found) {
      if (text.start < at || text.end > to || (text.start === from && text.end === to)) continue
      const key = keyOf(text.text, file, catalogue)
      const translated = key === undefined ? undefined : catalogue.texts[key]
      if (translated === undefined || translated === text.text) continue
      result += code.slice(at, text.start) + written(text, translated, write)
      at = text.end
    }
    return result + code.slice(at, to)
  }
  return write(0, code.length)
}

type Write = (from: number, to: number) => string

function written(found: FoundText, translated: string, write: Write): string {
  const [before, after] = found.ends
  const whole = before + translated + after
  switch (found.kind) {
    case 'string':
      return (
        JSON.stringify(whole) + (found.isNamed ? `, name: ${JSON.stringify(addressName(found.text))}` : '')
      )
    case 'attribute':
      return (
        `{${JSON.stringify(whole)}}` +
        (found.isNamed ? ` name=${JSON.stringify(addressName(found.text))}` : '')
      )
    case 'plural':
      return translated
        .split(' / ')
        .map((it) => JSON.stringify(it))
        .join(', ')
    case 'template':
      return `\`${piecesOf(whole, found)
        .map((it) => inTemplate(it, write))
        .join('')}\``
    case 'children':
      return piecesOf(whole, found)
        .map((it) => (typeof it === 'string' ? `{${JSON.stringify(it)}}` : write(it.start, it.end)))
        .join('')
  }
}

const inTemplate = (piece: string | { readonly start: number; readonly end: number }, write: Write): string =>
  typeof piece === 'string'
    ? piece.replaceAll(/[`\\]|\$\{/g, (it) => `\\${it}`)
    : `\${${write(piece.start, piece.end)}}`

const MARKS = /(\{\w+\}|<\/?\d+\/?>)/

/** The strings of a translation, and between them the places in the source that its marks stand for. */
const piecesOf = (translated: string, { places }: FoundText) =>
  translated
    .split(MARKS)
    .filter((it) => it !== '')
    .map((it) => places.get(it) ?? it)

/** What a translation must have as its English has it: marks, and two forms of a word that is counted. */
export const marksOf = (text: string): readonly string[] =>
  text.match(new RegExp(MARKS, 'g'))?.toSorted() ?? []
