import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTexts } from './find-texts.ts'
import { keyOf, marksOf, type Catalogue } from './translate.ts'

const SRC = join(import.meta.dirname, '../src')

/** The sources whose texts people read, relative to `src`. */
export const sourceFiles = (): readonly string[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.startsWith('api/generated/'),
    )
    .toSorted()

interface Comparison {
  /** Texts of the sources that the catalogue does not have, each with a file in which it stands. */
  readonly missing: ReadonlyMap<string, string>
  /** Keys of the catalogue that stand nowhere. */
  readonly unused: readonly string[]
  /** Translations whose placeholders, tags or numbers of forms are others than those of their English. */
  readonly different: readonly string[]
}

export function compare(catalogue: Catalogue): Comparison {
  const missing = new Map<string, string>()
  const used = new Set<string>()
  for (const file of sourceFiles())
    for (const { text } of findTexts(readFileSync(join(SRC, file), 'utf8'), file)) {
      const key = keyOf(text, file, catalogue)
      if (key === undefined) missing.set(text, file)
      else used.add(key)
    }
  const entries = Object.entries(catalogue.texts)
  return {
    missing,
    unused: entries.flatMap(([key]) => (used.has(key) ? [] : [key])),
    different: entries.flatMap(([key, text]) => (isAlike(englishOf(key), text) ? [] : [key])),
  }
}

const englishOf = (key: string): string => key.replace(/ @ [\w./-]+$/, '')

const isAlike = (english: string, text: string): boolean =>
  text.trim() !== '' && String(marksOf(english)) === String(marksOf(text)) && forms(english) <= forms(text)

/** Of a word that is counted: for 1, and for all else. */
const forms = (text: string): number => (/^[^{}<>]+ \/ [^{}<>]+$/.test(text) ? 2 : 1)
