import { readdirSync, readFileSync } from 'node:fs'
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
  /** 0 to 1: how often the type is right where the words stand. */
  readonly sure: number
  /** Texts in which this rule decides; with the model that is read there. */
  readonly examples: readonly Example[]
}

export type Example = string | { readonly text: string; readonly model: string }

/** A rule that holds for a text. */
export interface Holding {
  readonly rule: Rule
  readonly sure: number
  readonly at: number
  readonly length: number
  readonly model: string
}

/** Each rule that holds for the text: where it reads a model, else at the first place. */
export function holdingRules(source: TextSource, text: string): Holding[] {
  const holding = new Map<Rule, Holding>()
  for (const hit of findWords(text)) {
    const { rule, modelIn } = hit.of
    if (holding.get(rule)?.model || !looksIn(rule, source)) continue
    const model = modelIn(text, hit)
    if (model !== undefined && (model !== '' || !holding.has(rule))) {
      holding.set(rule, { rule, sure: rule.sure, at: hit.at, length: hit.length, model })
    }
  }
  return [...holding.values()]
}

/** A hash of a picture must not be taken for a model number. */
const looksIn = (rule: Rule, source: TextSource): boolean =>
  rule.in ? rule.in.includes(source) : source !== 'favicon'

export const rules: readonly Rule[] = readRules()

/** A maker who makes one kind of thing gives its type away by the name alone, if less surely than a product does. */
const MAKER_SURE = 0.8

export const makers: ReadonlySet<Rule> = new Set(vendors.filter(({ silent }) => !silent).map(makerRule))

function makerRule({ name, also = [], makes }: Vendor): Rule {
  return {
    vendor: name,
    lines: [name, ...also],
    sure: MAKER_SURE,
    examples: [],
    ...(makes && { type: makes }),
  }
}

/** What a known word stands for, and how to read the model where it stands; undefined: the rule does not hold. */
interface Known {
  readonly rule: Rule
  readonly modelIn: (text: string, hit: Hit<Known>) => string | undefined
}

const findWords = wordFinder<Known>([...rules, ...makers].flatMap(knownWords))

function knownWords(rule: Rule): (readonly [word: string, known: Known])[] {
  return [
    ...(rule.words ?? []).map((word) => [word, { rule, modelIn: () => '' }] as const),
    ...(rule.lines ?? []).map((line) => [line, { rule, modelIn: lineReader(line, rule.vendor) }] as const),
    ...(rule.models ?? []).map((start) => [`${start}*`, { rule, modelIn: numberReader(start) }] as const),
  ]
}

/** The name of the line belongs to the model, unless it is the maker's. */
function lineReader(line: string, vendor: string | undefined): Known['modelIn'] {
  const isMaker = vendor !== undefined && vendorKey(line) === vendorKey(vendor)
  return (text, { at, length }) => {
    const number = numberAfter(text, at + length)
    return number === '' || isMaker ? number : `${text.slice(at, at + length)} ${number}`
  }
}

/** Of `brother hl-`, the model begins at `hl-`. */
function numberReader(start: string): Known['modelIn'] {
  const offset = start.lastIndexOf(' ') + 1
  return (text, { at }) => modelAt(text, at + offset)
}

function readRules(): Rule[] {
  const folder = new URL('data/rules/', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Rule[])
}
