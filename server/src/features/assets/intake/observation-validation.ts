import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import { normaliseIdentifier } from '../identity/identifiers.ts'
import { looksScoped } from './observation-scope.ts'
import { assetTypes, identifierTypes, type Identifier, type Observation } from '../observation.ts'

/** Why an observation was rejected. `index` is its position in the batch. */
export interface Rejected {
  readonly index: number
  readonly field: string
  readonly message: string
}

const SOURCE_KEY_LENGTH_MAX = 512
const TEXT_LENGTH_MAX = 1_024
const TAG_LENGTH_MAX = 255
const TAGS_MAX = 100
const IDENTIFIERS_MAX = 1_000
const FACTS_LENGTH_MAX = 64 * 1_024
/** Tolerated clock skew. */
const AHEAD_MAX_MS = 5 * 60_000

/** The first invalid field; undefined when the observation is valid. */
export function validateObservation(
  observation: Observation,
  now: Date,
): Omit<Rejected, 'index'> | undefined {
  return (
    text('sourceKey', observation.sourceKey, SOURCE_KEY_LENGTH_MAX) ??
    unless('sourceKey', observation.sourceKey !== '', 'must not be empty') ??
    unless('sourceKey', !looksScoped(observation), 'must not begin with site: or collector:') ??
    instant(observation.seenAt, now) ??
    unless(
      'assetType',
      observation.assetType === undefined || assetTypes.includes(observation.assetType),
      `is none of ${assetTypes.join(', ')}`,
    ) ??
    firstOf(['name', 'os', 'vendor', 'model'] as const, (field) =>
      name(field, observation[field] ?? '', TEXT_LENGTH_MAX),
    ) ??
    tags(observation.tags ?? []) ??
    identifiers(observation.identifiers) ??
    facts(observation.facts)
  )
}

type Wrong = Omit<Rejected, 'index'> | undefined

const unless = (field: string, fits: boolean, message: string): Wrong =>
  fits ? undefined : { field, message }

function firstOf<T>(items: readonly T[], wrong: (item: T, index: number) => Wrong): Wrong {
  for (const [index, item] of items.entries()) {
    const found = wrong(item, index)
    if (found) return found
  }
  return undefined
}

function text(field: string, value: string, lengthMax: number): Wrong {
  if (typeof value !== 'string') return { field, message: 'must be a text' }
  if (value.length > lengthMax) return { field, message: `is longer than ${lengthMax} characters` }
  return characters(field, value)
}

/** Single-line text for lists, terminals and exports: no control characters. */
const name = (field: string, value: string, lengthMax: number): Wrong =>
  text(field, value, lengthMax) ??
  unless(field, !hasControlCharacter(value), 'holds a control character, such as a line break or an escape')

/** PostgreSQL stores neither. */
function characters(field: string, value: string): Wrong {
  if (value.includes('\0')) return { field, message: 'holds a NUL character' }
  return unless(field, value.isWellFormed(), 'is not valid Unicode')
}

function instant(seenAt: Date, now: Date): Wrong {
  const time = seenAt.getTime()
  if (!(time >= 0)) return { field: 'seenAt', message: 'is not a time after 1970' }
  return unless('seenAt', time <= now.getTime() + AHEAD_MAX_MS, 'lies in the future')
}

function tags(given: readonly string[]): Wrong {
  if (given.length > TAGS_MAX) return { field: 'tags', message: `are more than ${TAGS_MAX}` }
  return firstOf(given, (tag, index) => {
    const field = `tags[${index}]`
    return unless(field, tag !== '', 'must not be empty') ?? name(field, tag, TAG_LENGTH_MAX)
  })
}

function identifiers(given: readonly Identifier[]): Wrong {
  if (given.length > IDENTIFIERS_MAX)
    return { field: 'identifiers', message: `are more than ${IDENTIFIERS_MAX}` }
  return firstOf(given, (identifier, index) => {
    const field = `identifiers[${index}]`
    if (!identifierTypes.includes(identifier.type)) {
      return { field: `${field}.type`, message: `is none of ${identifierTypes.join(', ')}` }
    }
    const isName = identifier.type === 'hostname' || identifier.type === 'ptr_name'
    const wrong = (isName ? name : text)(`${field}.value`, identifier.value, SOURCE_KEY_LENGTH_MAX)
    if (wrong) return wrong
    const reading = normaliseIdentifier(identifier)
    return reading.kind === 'malformed' ? { field: `${field}.value`, message: reading.why } : undefined
  })
}

function facts(given: Observation['facts']): Wrong {
  if (given === undefined) return undefined
  const json = JSON.stringify(given)
  if (json.length > FACTS_LENGTH_MAX)
    return { field: 'facts', message: `are longer than ${FACTS_LENGTH_MAX} characters` }
  // JSON.stringify writes both as escapes
  const unstorable = /\\u0000|\\ud[89a-f]/.test(json.replaceAll('\\\\', ''))
  return unless('facts', !unstorable, 'hold a NUL character or invalid Unicode')
}
