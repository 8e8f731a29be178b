import { readdirSync, readFileSync } from 'node:fs'
import { once } from '#platform/once.ts'
import type { DeviceType } from './device-types.ts'
import { modelAt, numberAfter } from './readers/model-numbers.ts'
import type { TextSource } from './signals.ts'
import { vendorKey, vendors, type Vendor } from './vendors/vendors.ts'
import { wordFinder, type Hit } from './readers/word-finder.ts'

/**
 * What words in a device's own text say of it, as data: `data/rules/*.json`. A rule holds where one of its words
 * stands; the notation is that of `wordFinder`.
 */
export interface Rule {
  readonly vendor?: string
  /** Absent: the words name a maker who makes many things. */
  readonly type?: DeviceType
  readonly words?: readonly string[]
  /** Names of product lines: the number of the model may follow, as in `LaserJet 4250`. */
  readonly lines?: readonly string[]
  /** First letters of model numbers, as `DS-2` of `DS-2CD2042WD-I`. */
  readonly models?: readonly string[]
  /** Where to look; anywhere unless given, except among favicons. */
  readonly in?: readonly TextSource[]
  /** The words are what things are called, whoever makes them: `access point`. They decide before any product's name. */
  readonly noun?: true
  /** The words name a family, or a system, of several kinds of device: this one more often than the others. */
  readonly family?: true
  /** The maker makes nothing else with a network address. */
  readonly sole?: true
  /** The words name an operating system: what it runs on is told by anything else that the text says. */
  readonly system?: true
  /** 0 to 1: how much the rule is preferred to others that hold for the same text. */
  readonly sure: number
  /** Texts in which this rule decides; with the model that is read there. */
  readonly examples: readonly Example[]
}

export type Example = string | { readonly text: string; readonly model: string }

/** What kind of word stands in the text: how far it can be trusted is measured by kind. */
export const wordKinds = [
  'noun',
  'line',
  'model',
  'short',
  'word',
  'family',
  'loose',
  'system',
  'maker',
] as const
export type WordKind = (typeof wordKinds)[number]

/** A rule that holds for a text, and where. */
export interface Holding {
  readonly rule: Rule
  readonly kind: WordKind
  /** First letters of model numbers that are too few to mean anything by themselves. */
  readonly isShort: boolean
  readonly hasDigit: boolean
  readonly sure: number
  readonly at: number
  readonly length: number
  readonly model: string
}

/** Which rules and words are listened to; without it, all are. The bench leaves out what it wants to do without. */
export type Hears = (rule: Rule, word: string) => boolean

/** Each rule that holds for the text: where it reads a model, else at the first place; nouns wherever they stand. */
export function holdingRules(source: TextSource, text: string, hears?: Hears): Holding[] {
  const holding = new Map<Rule | Hit<Known>, Holding>()
  for (const hit of findWords()(text)) {
    const { rule, word, kind, isShort, modelIn } = hit.of
    const key = kind === 'noun' ? hit : rule
    const held = holding.get(key)
    const isFirmer = held?.isShort === true && !isShort
    if ((held?.model && !isFirmer) || !looksIn(rule, source) || hears?.(rule, word) === false) continue
    const model = modelIn(text, hit)
    if (model === undefined || (held && model === '' && !isFirmer)) continue
    const hasDigit = /[\d#]/.test(word)
    const found = { rule, kind, isShort, hasDigit, sure: rule.sure, at: hit.at, length: hit.length, model }
    holding.set(key, held && isShort ? { ...held, model } : found)
  }
  return [...holding.values()]
}

/** A hash of a picture must not be taken for a model number; a title is part of a page. */
const looksIn = (rule: Rule, source: TextSource): boolean =>
  rule.in ? rule.in.includes(source === 'title' ? 'http' : source) : source !== 'favicon'

export const rules = once(readRules)

/** A maker who makes one kind of thing gives its type away by the name alone, if less surely than a product does. */
const MAKER_SURE = 0.8

function makerRule({ name, also = [], makes, only }: Vendor): Rule {
  return {
    vendor: name,
    lines: [name, ...also],
    sure: MAKER_SURE,
    examples: [],
    ...(makes && { type: makes }),
    ...(only && { sole: true }),
  }
}

/** What a known word stands for, and how to read the model where it stands; undefined: the rule does not hold. */
interface Known {
  readonly rule: Rule
  readonly word: string
  readonly kind: WordKind
  readonly isShort: boolean
  readonly modelIn: (text: string, hit: Hit<Known>) => string | undefined
}

const findWords = once(() => {
  const makers = vendors()
    .filter(({ silent }) => !silent)
    .map(makerRule)
  return wordFinder<Known>([...rules(), ...makers].flatMap(knownWords))
})

function knownWords(rule: Rule): (readonly [word: string, known: Known])[] {
  const known = (word: string, kind: WordKind, modelIn: Known['modelIn']): readonly [string, Known] => {
    const isShort = kind === 'model' ? isFew(word) : rule.vendor !== undefined && isPlainNumber(word)
    const told = isMaker(word, rule) ? 'maker' : isShort ? 'short' : kind
    return [kind === 'model' ? `${word}*` : word, { rule, word, kind: told, isShort, modelIn }]
  }
  const plain = kindOfWords(rule)
  return [
    ...(rule.words ?? []).map((word) => known(word, plain, () => '')),
    ...(rule.lines ?? []).map((line) => known(line, 'line', lineReader(line, rule.vendor))),
    ...(rule.models ?? []).map((start) => known(start, 'model', numberReader(start))),
  ]
}

function kindOfWords(rule: Rule): WordKind {
  if (rule.noun) return 'noun'
  if (rule.system) return 'system'
  if (rule.family) return 'family'
  return rule.vendor === undefined ? 'loose' : 'word'
}

/** A rule's word that is no more than its maker's name says no more than the maker does. */
function isMaker(word: string, { vendor }: Rule): boolean {
  return vendor !== undefined && vendorKey(word.replaceAll(/[=*#]/g, '')) === vendorKey(vendor)
}

/** Two or three letters and digits, as `ex4`: half of the world's model numbers begin like that. */
function isFew(start: string): boolean {
  return start.replaceAll(/[^a-z\d#]/g, '').length <= 3
}

/** One or two letters and a number, as `c3500`: other makers have the same. */
const isPlainNumber = (word: string): boolean => /^[a-z]{0,2}[- ]?[\d#]{1,5}[a-z]?$/.test(word)

/** The name of the line belongs to the model, unless it is the maker's. */
function lineReader(line: string, vendor: string | undefined): Known['modelIn'] {
  const isMakersName = vendor !== undefined && vendorKey(line) === vendorKey(vendor)
  return (text, { at, length }) => {
    const number = numberAfter(text, at + length)
    return number === '' || isMakersName ? number : `${text.slice(at, at + length)} ${number}`
  }
}

/** Of `brother hl-`, the model begins at `hl-`. */
function numberReader(start: string): Known['modelIn'] {
  const offset = start.lastIndexOf(' ') + 1
  return (text, { at }) => modelAt(text, at + offset)
}

function readRules(): readonly Rule[] {
  const folder = new URL('data/rules/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Rule[])
}
