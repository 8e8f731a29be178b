import { invalid } from '#platform/errors.ts'
import { isHostName } from '../probes/sweep/names/host-names.ts'
import { parseNetwork } from './ip-network.ts'
import { isWithin, parseSpan, spanSize, spansWithout, spanText, type AddressSpan } from './address-span.ts'

export const ENTRIES_MAX = 256
/** Of one entry, as of a target that is one network. */
const ENTRY_ADDRESSES_MAX = 65_536
/** Of all entries of a target, less what is excluded. */
export const ADDRESSES_MAX = 1_048_576

/** What a target consists of, in canonical form: networks, ranges, addresses and host names. */
export interface TargetEntries {
  readonly entries: readonly string[]
  readonly exclusions: readonly string[]
}

interface Entry {
  /** Canonical. */
  readonly text: string
  /** Absent: a host name. */
  readonly span?: AddressSpan
}

/**
 * Refuses, naming the entry (`entries[3]`), what cannot be scanned. An entry is a network, `address-address`,
 * `address-lastOctet`, an address or a host name.
 */
export function checkedEntries(entries: readonly string[], exclusions: readonly string[]): TargetEntries {
  if (entries.length === 0) throw invalid('entries', 'give at least one network, range, address or host name')
  const read = checkedList('entries', entries, ENTRY_ADDRESSES_MAX)
  const without = checkedList('exclusions', exclusions)
  const spans = spansWithout(spansOf(read), spansOf(without))
  const size = spans.reduce((sum, span) => sum + spanSize(span), 0)
  const names = read.filter(({ span }) => !span).map(({ text }) => text)
  const excluded = new Set(without.map(({ text }) => text))
  if (size === 0 && names.every((name) => excluded.has(name)))
    throw invalid('exclusions', 'leave no address to look at')
  if (size > ADDRESSES_MAX)
    throw invalid('entries', `have ${size.toLocaleString('en')} addresses; a target has at most 1,048,576`)
  return { entries: textsOf(read), exclusions: textsOf(without) }
}

/** The addresses that stored entries name, and the host names among them. */
export function readEntries({ entries, exclusions }: TargetEntries) {
  const read = entries.map(readEntry)
  const without = exclusions.map(readEntry)
  return {
    spans: spansWithout(spansOf(read), spansOf(without)),
    names: namesOf(read),
    excludedNames: namesOf(without),
    excludedSpans: spansOf(without),
  }
}

/** Whether `changed` names addresses or host names that `before` does not. */
export function reachesFurther(before: TargetEntries, changed: TargetEntries): boolean {
  const [old, current] = [readEntries(before), readEntries(changed)]
  const known = new Set(old.names.filter((name) => !old.excludedNames.includes(name)))
  const isNameNew = current.names.some((name) => !known.has(name) && !current.excludedNames.includes(name))
  // what a name leads to is known at the scan alone, so an exclusion that is lifted may be one of its addresses
  const isLifted = known.size > 0 && !old.excludedSpans.every((span) => isWithin(span, current.excludedSpans))
  return isNameNew || isLifted || !current.spans.every((span) => isWithin(span, old.spans))
}

function checkedList(field: string, texts: readonly string[], sizeMax?: number): Entry[] {
  if (texts.length > ENTRIES_MAX)
    throw invalid(field, `are ${texts.length}; a target has at most ${ENTRIES_MAX}`)
  return texts.map((text, n) => {
    const entry = parseEntry(text)
    const where = `${field}[${n}]`
    if (typeof entry === 'string') throw invalid(where, `${quoted(text)}: ${entry}`)
    if (sizeMax !== undefined && entry.span && spanSize(entry.span) > sizeMax)
      throw invalid(where, `${quoted(text)}: the range is too large: at most 65,536 addresses in one entry`)
    return entry
  })
}

const QUOTED_MAX = 64
const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text)

/** The reason in words when it is none. */
function parseEntry(text: string): Entry | string {
  const entry = text.trim().replace(/\.$/, '').toLowerCase()
  const span = parseSpan(entry)
  if (typeof span === 'string') return span
  if (!span)
    return isHostName(entry) ? { text: entry } : 'must be a network, a range, an IP address or a host name'
  if (!entry.includes('/')) return { text: spanText(span), span }
  const network = parseNetwork(entry)
  return { text: typeof network === 'string' ? spanText(span) : network.cidr, span }
}

function readEntry(text: string): Entry {
  const span = parseSpan(text)
  return span === undefined || typeof span === 'string' ? { text } : { text, span }
}

const textsOf = (entries: readonly Entry[]): string[] => [...new Set(entries.map(({ text }) => text))]

const spansOf = (entries: readonly Entry[]): AddressSpan[] => entries.flatMap(({ span }) => span ?? [])

const namesOf = (entries: readonly Entry[]): string[] => entries.flatMap((it) => (it.span ? [] : it.text))
