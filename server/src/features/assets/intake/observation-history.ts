import { identifiersOf, type Kept, type Payload } from './observation-record.ts'

/** More facts than this are not remembered beyond the newest sighting; of those of one moment, the first by name stay. */
const FACTS_KEPT_MAX = 64

/**
 * The newest sighting whole, then of the older ones, newest first, what no newer one mentions. For each thing that can
 * be mentioned this keeps the newest mention and nothing else, so the order in which sightings come does not show.
 */
export function settle(sightings: readonly Kept[]): readonly [Kept, ...Kept[]] {
  const [newest, ...older] = sightings.toSorted(byAge)
  if (!newest) throw new Error('no sighting')
  const mentioned = new Set(mentionsOf(newest.payload))
  const kept = older.flatMap((each): Kept[] => {
    const payload = without(each.payload, mentioned)
    const mentions = mentionsOf(payload)
    for (const mention of mentions) mentioned.add(mention)
    return mentions.length > 0 ? [{ ...each, payload }] : []
  })
  return [newest, ...withFewFacts(kept)]
}

/** All that a source's sightings say together. */
export function united(newest: Payload, kept: readonly Kept[]): Payload {
  if (kept.length === 0) return newest
  const payloads = [newest, ...kept.map(({ payload }) => payload)]
  const facts = Object.assign({}, ...payloads.map((payload) => payload.facts).toReversed()) as object
  return {
    ...(Object.assign({}, ...payloads.toReversed()) as Payload),
    identifiers: payloads.flatMap(({ identifiers }) => identifiers),
    ...(Object.keys(facts).length > 0 && { facts: facts as NonNullable<Payload['facts']> }),
  }
}

function byAge(x: Kept, y: Kept): number {
  return y.seenAt - x.seenAt || (x.hash < y.hash ? 1 : -1)
}

/** Attributes, facts and types of identifiers, each by itself. Identifiers that are junk mention nothing. */
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

function withFewFacts(kept: readonly Kept[]): Kept[] {
  let room = FACTS_KEPT_MAX
  return kept.flatMap((each): Kept[] => {
    const names = Object.keys(each.payload.facts ?? {}).toSorted()
    const over = new Set(names.slice(room).map(factMention))
    room = Math.max(0, room - names.length)
    const payload = over.size > 0 ? without(each.payload, over) : each.payload
    return mentionsOf(payload).length > 0 ? [{ ...each, payload }] : []
  })
}

const only = <T extends object>(fields: T, wanted: (name: string) => boolean): T =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => wanted(name))) as T
