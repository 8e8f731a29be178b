import { identifiersOf, type HistoryEntry, type Payload } from './observation-record.ts'

/** At most this many facts are stored from reports before the newest; of one report, the first by name. */
const FACTS_KEPT_MAX = 64

/**
 * The newest report whole, then of the older reports, newest first, only what no newer one mentions, so the result
 * does not depend on the order of arrival. Throws when there is no report.
 */
export function mergeHistory(
  matchRecords: readonly HistoryEntry[],
): readonly [HistoryEntry, ...HistoryEntry[]] {
  const [newest, ...older] = matchRecords.toSorted(byAge)
  if (!newest) throw new Error('no report')
  const mentioned = new Set(mentionsOf(newest.payload))
  const history = older.flatMap((each): HistoryEntry[] => {
    const payload = without(each.payload, mentioned)
    const mentions = mentionsOf(payload)
    for (const mention of mentions) mentioned.add(mention)
    return mentions.length > 0 ? [{ ...each, payload }] : []
  })
  return [newest, ...withFewFacts(history)]
}

/** The newest payload, completed by values that only older reports mention. */
export function combinedPayload(newest: Payload, history: readonly HistoryEntry[]): Payload {
  if (history.length === 0) return newest
  const payloads = [newest, ...history.map(({ payload }) => payload)]
  const facts = Object.assign({}, ...payloads.map((payload) => payload.facts).toReversed()) as object
  return {
    ...(Object.assign({}, ...payloads.toReversed()) as Payload),
    identifiers: payloads.flatMap(({ identifiers }) => identifiers),
    ...(Object.keys(facts).length > 0 && { facts: facts as NonNullable<Payload['facts']> }),
  }
}

function byAge(x: HistoryEntry, y: HistoryEntry): number {
  return y.seenAt - x.seenAt || (x.hash < y.hash ? 1 : -1)
}

/** One key for each attribute, fact and type of identifier. Junk identifiers do not count. */
function mentionsOf({ identifiers, facts, ...attributes }: Payload): string[] {
  return [
    ...Object.keys(attributes),
    ...Object.keys(facts ?? {}).map(factMention),
    ...identifiersOf({ identifiers }).map(({ type }) => typeMention(type)),
  ]
}

const factMention = (name: string): string => `fact ${name}`
const typeMention = (type: string): string => `identifier ${type}`

function without({ identifiers, facts, ...attributes }: Payload, mentioned: ReadonlySet<string>): Payload {
  const left = only(facts ?? {}, (name) => !mentioned.has(factMention(name)))
  return {
    ...only(attributes, (name) => !mentioned.has(name)),
    identifiers: identifiers.filter(({ type }) => !mentioned.has(typeMention(type))),
    ...(Object.keys(left).length > 0 && { facts: left }),
  }
}

function withFewFacts(history: readonly HistoryEntry[]): HistoryEntry[] {
  let room = FACTS_KEPT_MAX
  return history.flatMap((each): HistoryEntry[] => {
    const names = Object.keys(each.payload.facts ?? {}).toSorted()
    const over = new Set(names.slice(room).map(factMention))
    room = Math.max(0, room - names.length)
    const payload = over.size > 0 ? without(each.payload, over) : each.payload
    return mentionsOf(payload).length > 0 ? [{ ...each, payload }] : []
  })
}

const only = <T extends object>(fields: T, wanted: (name: string) => boolean): T =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => wanted(name))) as T
