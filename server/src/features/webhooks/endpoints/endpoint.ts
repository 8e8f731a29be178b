import { isEventType, type EventType } from '#features/events/events.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'
import { parseHeaders, type CustomHeaders } from './custom-headers.ts'

/** A webhook as returned: of the secret only the prefix, of custom headers only the names. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly events: readonly EventType[]
  /** A disabled endpoint gets no deliveries; pending ones are parked until it is active again. */
  readonly active: boolean
  /** Set when it was disabled automatically. */
  readonly disabledReason: string | null
  readonly secretPrefix: string
  readonly headerNames: readonly string[]
  /** Maximum number of concurrent deliveries; null: no limit. */
  readonly maxInFlight: number | null
  /** Maximum attempts per second; null: no limit. */
  readonly maxRate: number | null
  /** Days without a success after which it is disabled; null: never. */
  readonly autoDisableDays: number | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface NewEndpoint {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly active?: boolean
  /** The receiver's own secret; generated if absent. */
  readonly secret?: string
  readonly headers?: CustomHeaders
  readonly maxInFlight?: number | null
  readonly maxRate?: number | null
  readonly autoDisableDays?: number | null
}

export type EndpointChanges = Partial<Omit<NewEndpoint, 'secret'>>

/** The stored fields, validated. */
export type EndpointFields = Pick<
  Endpoint,
  'name' | 'url' | 'events' | 'active' | 'maxInFlight' | 'maxRate' | 'autoDisableDays'
>

/** Name for audit entries, which outlive the endpoint: its URL if it has no name. */
export const auditName = ({ name, url }: Pick<Endpoint, 'name' | 'url'>) => ({ name: name || url })

const NAME_MAX = 200
const IN_FLIGHT_MAX = 1_000
const RATE_MAX = 10_000
const AUTO_DISABLE_DAYS_MAX = 60
/** Length of a receiver's own secret, in characters. */
export interface SecretLength {
  readonly min: number
  readonly max: number
}
const SECRET_LENGTH: SecretLength = { min: 32, max: 128 }

/** Validates everything except the URL, see `parseReceiverUrl`. Throws `invalid` with the field's name. */
export function parseChanges(changes: EndpointChanges): Partial<EndpointFields> & {
  readonly headers?: CustomHeaders
} {
  const { name, events, active, headers } = changes
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(events !== undefined && { events: parseEvents(events) }),
    ...(active !== undefined && { active }),
    ...(headers !== undefined && { headers: parseHeaders(headers) }),
    ...parseLimits(changes),
  }
}

export const parseName = (text: string): string => checkedName('name', text, NAME_MAX)

/** Each type once, in the order given. */
export function parseEvents(types: readonly string[]): readonly EventType[] {
  const unknown = types.find((type) => !isEventType(type))
  if (unknown !== undefined) throw invalid('events', `${JSON.stringify(unknown)} is not an event type`)
  if (types.length === 0) throw invalid('events', 'must have at least one event type')
  return [...new Set(types.filter(isEventType))]
}

/** Only printable ASCII, which has the same bytes in every encoding: the secret signs by its bytes. */
export function parseSecret(secret: string, { min, max } = SECRET_LENGTH): string {
  if (secret.length < min || secret.length > max || !/^[!-~]*$/.test(secret))
    throw invalid('secret', `must have ${min} to ${max} printable ASCII characters without spaces`)
  return secret
}

type Limits = Pick<EndpointFields, 'maxInFlight' | 'maxRate' | 'autoDisableDays'>

function parseLimits({ maxInFlight, maxRate, autoDisableDays }: EndpointChanges): Partial<Limits> {
  const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max
  if (typeof maxInFlight === 'number' && !isCount(maxInFlight, IN_FLIGHT_MAX))
    throw invalid('max_in_flight', `must be a whole number from 1 to ${IN_FLIGHT_MAX}`)
  if (typeof maxRate === 'number' && !(maxRate >= 0.01 && maxRate <= RATE_MAX))
    throw invalid('max_rate', `must be from 0.01 to ${RATE_MAX} a second`)
  if (typeof autoDisableDays === 'number' && !isCount(autoDisableDays, AUTO_DISABLE_DAYS_MAX))
    throw invalid('auto_disable_days', `must be a whole number from 1 to ${AUTO_DISABLE_DAYS_MAX}`)
  return {
    ...(maxInFlight !== undefined && { maxInFlight }),
    ...(maxRate !== undefined && { maxRate }),
    ...(autoDisableDays !== undefined && { autoDisableDays }),
  }
}
