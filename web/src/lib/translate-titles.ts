import { count } from './numbers.ts'

interface Pattern {
  readonly regex: RegExp
  readonly translation: string
}

type Translate = (text: string) => string
type Catalogue = Readonly<Record<string, string>>

/** Under which names the server answers with its own titles and sentences. */
const TITLED = new Set([
  'attribution',
  'detail',
  'disabledReason',
  'error',
  'fault',
  'frameworkTitle',
  'help',
  'label',
  'lastError',
  'licence',
  'measure',
  'message',
  'next',
  'note',
  'pausedReason',
  'problem',
  'reason',
  'sentence',
  'sentWhen',
  'source',
  'summary',
  'title',
  'warning',
  'why',
])
/** What people and machines have written as a whole. */
const WRITTEN = new Set(['definition', 'input', 'output', 'payload', 'settings', 'value', 'view'])
/** Before a sentence, the place that it is about: `steps[0].with.tags`. */
const PLACE = /^([\w.[\]-]+): (.+)$/s
/** Behind a sentence, the value that it is about as JSON, and what else is wrong: `is no date: "soon" (also wrong: os)`. */
const VALUE = /^(.+?): ("(?:[^"\\]|\\.)*")(.*)$/s
const NUMBER = /^\d{1,3}(,\d{3})*$/

const translators = new WeakMap<Catalogue, Translate>()

/** The answer with those of them in another language that the catalogues have; all else stays. */
export function translateTitles<Answer>(answer: Answer, catalogues: readonly Catalogue[]): Answer {
  const each = catalogues.map((catalogue) => {
    const known = translators.get(catalogue) ?? titleTranslator(catalogue)
    translators.set(catalogue, known)
    return known
  })
  const translate: Translate = (text) => each.reduce((it, next) => next(it), text)
  return within(answer, translate, false) as Answer
}

function within(value: unknown, translate: Translate, isTitle: boolean): unknown {
  if (typeof value === 'string') return isTitle ? translate(value) : value
  if (Array.isArray(value)) return value.map((it) => within(it, translate, isTitle))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [
      key,
      WRITTEN.has(key) ? it : within(it, translate, TITLED.has(key)),
    ]),
  )
}

/**
 * By the catalogue: a text as a whole, else the one with most fixed letters that fits, and each thing that it is filled
 * with in turn: of a sentence its clauses, of a clause its words.
 */
function titleTranslator(titles: Catalogue): Translate {
  const patterns = Object.entries(titles)
    .filter(([english]) => english.includes('{0}') || english.startsWith(','))
    .toSorted(([a], [b]) => layerOf(a) - layerOf(b) || fixed(b) - fixed(a))
    .map(([english, translation]) => patternOf(english, translation))
  const translate = (text: string): string => {
    if (Object.hasOwn(titles, text)) return titles[text] ?? text
    if (NUMBER.test(text)) return count(Number(text.replaceAll(',', '')))
    for (const { regex, translation } of patterns) {
      const found = regex.exec(text)
      if (found)
        return translation.replaceAll(/\{(\d+)\}/g, (_, n: string) => translate(found[Number(n) + 1] ?? ''))
    }
    const [, why, value, more] = VALUE.exec(text) ?? []
    if (why !== undefined && value !== undefined && more !== undefined)
      return `${translate(why)}: ${value}${more === '' ? '' : translate(more)}`
    const [, place, what] = PLACE.exec(text) ?? []
    return place === undefined || what === undefined ? text : `${place}: ${translate(what)}`
  }
  return translate
}

/** Sentences first, then their halves, then the ends, with a comma in front, that any clause can have, then clauses. */
function layerOf(english: string): number {
  if (english.endsWith('.')) return 0
  if (english.includes(';')) return 1
  return english.startsWith(',') ? 2 : 3
}

const fixed = (english: string): number => english.replaceAll(/\{\d+\}/g, '').length

function patternOf(english: string, translation: string): Pattern {
  const isEnd = english.startsWith(',')
  const parts = english.split(/\{\d+\}/).map((it) => it.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
  if (!isEnd) return { regex: new RegExp(`^${parts.join('(.+)')}$`, 's'), translation }
  const shifted = translation.replaceAll(/\{(\d+)\}/g, (_, n: string) => `{${Number(n) + 1}}`)
  return { regex: new RegExp(`^(.+)${parts.join('(.+)')}$`, 's'), translation: `{0}${shifted}` }
}
