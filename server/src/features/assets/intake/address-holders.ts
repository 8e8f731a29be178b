import { bareName, nameClass } from '../identity/identifiers.ts'
import { isList } from '../attributes/source-precedence.ts'
import { mergeReport, newRecord, type ValidObservation } from './merge-observations.ts'
import type { NormalisedIdentifier, ObservationRecord } from './observation-record.ts'

/**
 * Behind a router a scan sees addresses but no network cards: one that passes to another machine is reported under the same
 * key. A report whose host key, or without one its name, differs from that of the record is of another machine: the record
 * ends, and a new one begins.
 */

/** Whether the report is of another machine than the record. */
export function isOfAnother(known: ObservationRecord, report: ValidObservation): boolean {
  return isKeyedByAddress(known) && comparison(known.current, report.current) === 'differ'
}

/** The keys under which records of earlier holders of the address are, of which the report may be one. */
export const keysOfFormer = (sourceKey: string, report: ValidObservation): string[] =>
  namesOf(report.current).map((name) => formerKey(sourceKey, name))

/** The key that the record gets when another machine has its address; `taken` are keys that other records have. */
export function keyWhenFormer(
  sourceKey: string,
  record: ObservationRecord,
  taken: ReadonlySet<string>,
): string {
  const key = formerKey(sourceKey, namesOf(record.current)[0] ?? record.id)
  return taken.has(key) ? formerKey(sourceKey, record.id) : key
}

/**
 * The records of all holders of an address after a report of one of them, the latest first: only that has the source's own
 * key. Each is one of `holders`, with the report merged into it, or new.
 */
export function mergeIntoHolders(
  holders: readonly ObservationRecord[],
  report: ValidObservation,
  newId: () => string,
): ObservationRecord[] {
  const [latest] = holders
  const holder =
    holders.find(({ current }) => comparison(current, report.current) === 'agree') ??
    (latest && !isOfAnother(latest, report) ? latest : undefined)
  const merged = holder ? mergeReport(holder, report) : latest && newRecord(report, latest.source, newId())
  if (!merged) return [...holders]
  return [...holders.filter((each) => each !== holder), merged].toSorted(
    (x, y) => y.lastSeen - x.lastSeen || (x.id < y.id ? -1 : 1),
  )
}

type Identifiers = readonly NormalisedIdentifier[]

/** A list that people keep may rename what it calls by an address; it sees no other machine there. */
function isKeyedByAddress({ source, sourceKey, current }: ObservationRecord): boolean {
  if (isList(source.kind) || sourceKey.length > KEY_LENGTH_MAX) return false
  if (current.some(({ type }) => !tellsNoMachine.has(type))) return false
  const address = sourceKey.slice(sourceKey.lastIndexOf(' ') + 1).replace(/\|$/, '')
  return current.some(({ type, value }) => type === 'ip' && value === address)
}

const KEY_LENGTH_MAX = 128
const tellsNoMachine: ReadonlySet<string> = new Set(['ip', 'hostname', 'ptr_name', 'ssh_host_key'])

function comparison(known: Identifiers, said: Identifiers): 'agree' | 'differ' | 'unknown' {
  if (said.some(({ type }) => !tellsNoMachine.has(type))) return 'unknown'
  const keys = compared(valuesOf(known, 'ssh_host_key'), valuesOf(said, 'ssh_host_key'))
  return keys === 'unknown' ? compared(hostNamesOf(known), hostNamesOf(said)) : keys
}

function compared(mine: readonly string[], theirs: readonly string[]): 'agree' | 'differ' | 'unknown' {
  if (mine.length === 0 || theirs.length === 0) return 'unknown'
  return mine.some((value) => theirs.includes(value)) ? 'agree' : 'differ'
}

const valuesOf = (identifiers: Identifiers, type: string): string[] =>
  identifiers.filter((each) => each.type === type).map(({ value }) => value)

const hostNamesOf = (identifiers: Identifiers): string[] =>
  [...valuesOf(identifiers, 'hostname'), ...valuesOf(identifiers, 'ptr_name')]
    .filter((name) => nameClass(name) !== 'generic')
    .map(bareName)

/** What tells the machine: host keys, else names. */
function namesOf(identifiers: Identifiers): string[] {
  const keys = valuesOf(identifiers, 'ssh_host_key')
  return [...new Set([...keys, ...hostNamesOf(identifiers)])].toSorted((x, y) =>
    keys.includes(x) === keys.includes(y) ? (x < y ? -1 : 1) : keys.includes(x) ? -1 : 1,
  )
}

const formerKey = (sourceKey: string, name: string): string => `${sourceKey}#${name}`
