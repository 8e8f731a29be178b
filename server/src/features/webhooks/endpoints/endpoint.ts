import { isEventType, type EventType } from '#features/events/events.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'
import { parseHeaders, type CustomHeaders } from './custom-headers.ts'

/** A receiver as people see it; of the secret only the beginning, of its own headers only the names. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly events: readonly EventType[]
  /** A disabled endpoint receives no deliveries; those that wait are set aside until it is active again. */
  readonly active: boolean
  /** Set when it was not a person who disabled it. */
  readonly disabledReason: string | null
  readonly secretPrefix: string
  readonly headerNames: readonly string[]
  /** Deliveries under way at once; null: as many as go well. */
  readonly maxInFlight: number | null
  /** Attempts a second; null: as many as go well. */
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
  /** The receiver's own; made unless given. */
  readonly secret?: string
  readonly headers?: CustomHeaders
  readonly maxInFlight?: number | null
  readonly maxRate?: number | null
  readonly autoDisableDays?: number | null
}

export type EndpointChanges = Partial<Omit<NewEndpoint, 'secret'>>

/** What is stored as it is, checked. */
export type EndpointFields = Pick<
  Endpoint,
  'name' | 'url' | 'events' | 'active' | 'maxInFlight' | 'maxRate' | 'autoDisableDays'
>

/** For the details of audit entries, which are read when the endpoint is gone; an endpoint may have no name. */
export const auditName = ({ name, url }: Pick<Endpoint, 'name' | 'url'>) => ({ name: name || url })

const NAME_MAX = 200
const IN_FLIGHT_MAX = 1_000
const RATE_MAX = 10_000
const AUTO_DISABLE_DAYS_MAX = 60
const SECRET_LENGTH = { min: 32, max: 128 }

/** All of it is checked but the URL, which is answered by `parseReceiverUrl`. */
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

/** Signs as its bytes are, so only what every system writes with the same bytes is taken. */
export function parseSecret(secret: string): string {
  const { min, max } = SECRET_LENGTH
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
