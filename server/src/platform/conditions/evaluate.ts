import ipaddr from 'ipaddr.js'
import type { Comparison, Condition, NodeOf, Value } from './condition.ts'
import type { Truth } from './three-valued-logic.ts'
import type { Field, Row, Vocabulary } from './field.ts'
import { normalizeText } from './normalize-text.ts'
import { unreachable } from '../errors.ts'
import { dayMeant, dayOf, stretchMeant } from './value.ts'

/** What a condition is evaluated with. */
export interface Evaluation {
  /** One instant for the whole evaluation, which spans such as -30d count from. */
  readonly now: Date
  readonly vocabulary: Vocabulary
}

/** Decides `condition` for one row: unknown (`null`) where it asks about what was never collected. */
export function evaluate(condition: Condition, row: Row, evaluation: Evaluation): Truth {
  switch (condition.kind) {
    case 'and':
      return and(condition.parts.map((part) => evaluate(part, row, evaluation)))
    case 'or':
      return or(condition.parts.map((part) => evaluate(part, row, evaluation)))
    case 'not':
      return not(evaluate(condition.part, row, evaluation))
    case 'compare':
      return compared(condition, row, evaluation.now)
    case 'in':
      return isIn(condition, row, evaluation.now)
    case 'has':
      return membersOf(condition.field, row).length > 0
    case 'any':
      return some(condition, row, evaluation)
    case 'no':
      return not(some(condition, row, evaluation))
    case 'count':
      return counted(condition, row, evaluation)
    case 'named':
      return evaluate(condition.part, row, { ...evaluation, vocabulary: condition.vocabulary }) === true
    case 'word':
      return evaluation.vocabulary.search?.test(row, condition.text) ?? null
    default:
      return unreachable(condition)
  }
}

/** Kleene's logic, which is also SQL's: false wins `and`, true wins `or`. */
const and = (parts: readonly Truth[]): Truth =>
  parts.includes(false) ? false : parts.includes(null) ? null : true
const or = (parts: readonly Truth[]): Truth =>
  parts.includes(true) ? true : parts.includes(null) ? null : false
const not = (part: Truth): Truth => (part === null ? null : !part)

/** The answer for each element; undefined when they were never collected. */
function answers({ collection, part }: NodeOf<'any' | 'no' | 'count'>, row: Row, evaluation: Evaluation) {
  const vocabulary = { fields: collection.fields, collections: [] }
  return collection.elements(row)?.map((it) => evaluate(part, it, { ...evaluation, vocabulary }))
}

function some(condition: NodeOf<'any' | 'no'>, row: Row, evaluation: Evaluation): Truth {
  const found = answers(condition, row, evaluation)
  return found ? or(found) : null
}

/** Unknown where elements of which it is unknown decide. */
function counted(condition: NodeOf<'count'>, row: Row, evaluation: Evaluation): Truth {
  const found = answers(condition, row, evaluation)
  if (!found) return null
  const { comparison, number } = condition
  const sure = found.filter((it) => it === true).length
  const unsure = found.filter((it) => it === null).length
  const signs = new Set([sure, sure + unsure].map((it) => Math.sign(it - number)))
  if (signs.has(-1) && signs.has(1)) signs.add(0)
  const possible = new Set([...signs].map((sign) => ordered(sign, comparison)))
  const [only = null] = possible
  return possible.size === 1 ? only : null
}

/** The row's values of a field: none when it is unknown, or a list that is known to be empty. */
function membersOf(field: Field, row: Row): readonly unknown[] {
  const value = field.read(row)
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

const isUnknown = (field: Field, row: Row): boolean => (field.read(row) ?? null) === null

type Compared = Pick<NodeOf<'compare'>, 'field' | 'comparison' | 'value'>

function compared({ field, comparison, value }: Compared, row: Row, now: Date): Truth {
  if (isUnknown(field, row)) return null
  // "not this" of a list means that no member is this
  if (field.isList && comparison === '!=') {
    return not(compared({ field, comparison: '=', value }, row, now))
  }
  const found = or(
    membersOf(field, row).map((member) => holds({ field, comparison, value, member, row, now })),
  )
  return found === false && !isAbsenceKnown({ field, comparison, value }, row) ? null : found
}

/** Of a list that is known in part, whether a member that was not found is known not to be there. */
function isAbsenceKnown({ field, comparison, value }: Compared, row: Row): boolean {
  const known = field.knownMembers?.read(row) ?? null
  if (known === null) return true
  return comparison === '=' && value.type === 'number' && (known as unknown[]).includes(value.number)
}

const isIn = ({ field, values }: NodeOf<'in'>, row: Row, now: Date): Truth =>
  or(values.map((value) => compared({ field, comparison: '=', value }, row, now)))

interface Comparing {
  readonly field: Field
  readonly comparison: Comparison
  readonly value: Value
  readonly member: unknown
  readonly row: Row
  readonly now: Date
}

function holds({ field, comparison, value, member, row, now }: Comparing): Truth {
  switch (field.type) {
    case 'text':
      return textHolds(normalizeText(String(member)), comparison, value)
    case 'number':
      return value.type === 'number' ? ordered(Math.sign(Number(member) - value.number), comparison) : null
    case 'bool':
      return value.type === 'bool' ? (member === value.isTrue) === (comparison === '=') : null
    case 'date':
      return ordered(order(dayText(member), dayMeant(value, now)), comparison)
    case 'instant':
      return instantHolds(new Date(member as string | Date), comparison, stretchMeant(value, now))
    case 'ip':
      return ipHolds(String(member), comparison, value)
    case 'version':
      return versionHolds(field, row, comparison, value)
    default:
      return unreachable(field.type)
  }
}

function textHolds(member: string, comparison: Comparison, value: Value): Truth {
  if (value.type !== 'text') return null
  if (comparison === ':') return member.includes(value.normalized)
  return (member === value.normalized) === (comparison === '=')
}

const dayText = (member: unknown): string =>
  member instanceof Date ? dayOf(member) : String(member).slice(0, 10)

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A day stands for all its instants: `> 2026-03-31` begins with April, `= 2026-03-31` is any time of that day. */
function instantHolds(member: Date, comparison: Comparison, { from, to }: { from: Date; to: Date }): Truth {
  return ordered(member < from ? -1 : member >= to ? 1 : 0, comparison)
}

function ipHolds(member: string, comparison: Comparison, value: Value): Truth {
  if (value.type !== 'ip') return null
  const isInside = value.isNetwork
    ? isInNetwork(member, value.network)
    : ipaddr.parse(member).toString() === value.network
  return isInside === (comparison !== '!=')
}

export function isInNetwork(member: string, network: string): boolean {
  const address = ipaddr.parse(member)
  const [base, bits] = ipaddr.parseCIDR(network)
  return address.kind() === base.kind() && address.match(base, bits)
}

function versionHolds(field: Field, row: Row, comparison: Comparison, value: Value): Truth {
  const sign = value.type === 'version' ? field.compareVersion?.(row, value.text) : undefined
  return sign === undefined ? null : ordered(Math.sign(sign), comparison)
}

function ordered(sign: number, comparison: Comparison): boolean {
  switch (comparison) {
    case '=':
    case ':':
      return sign === 0
    case '!=':
      return sign !== 0
    case '<':
      return sign < 0
    case '<=':
      return sign <= 0
    case '>':
      return sign > 0
    case '>=':
      return sign >= 0
    default:
      return unreachable(comparison)
  }
}
