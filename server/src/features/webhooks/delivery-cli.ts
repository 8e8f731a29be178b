import { eventTypes, isEventType } from '#features/events/events.ts'
import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import {
  deliveryStatuses,
  NOT_DELIVERED,
  type Attempt,
  type Delivery,
  type DeliveryFilter,
  type DeliveryStatus,
  type Missed,
} from './history/delivery-record.ts'
import { listReplays, replayEvents, resendDelivery } from './history/replay.ts'
import type { Replay } from './history/replay-request.ts'
import {
  explainDelivery,
  listDeliveries,
  listMissed,
  tenantOfDelivery,
  tenantOfEndpoint,
} from './webhooks.ts'

const ofDelivery: Pick<Command, 'args' | 'tenant' | 'tenantOf'> = {
  args: ['delivery'],
  tenant: true,
  tenantOf: (system, { args: { delivery = '' } }) => tenantOfDelivery(system, delivery),
}

const ofEndpoint: Pick<Command, 'tenant' | 'tenantOf'> = {
  tenant: true,
  tenantOf: async (system, { args: { id } }) => (id === undefined ? undefined : tenantOfEndpoint(system, id)),
}

/** Commands for deliveries: list, explain, resend, replay. */
export const deliveryCommands: readonly Command[] = [
  {
    path: 'webhook deliveries',
    args: ['id?'],
    ...ofEndpoint,
    options: {
      status: {
        value: 'STATUS',
        help: `one of ${deliveryStatuses.join(', ')}; or ${NOT_DELIVERED}: what happened while a receiver was disabled`,
      },
      type: { value: 'TYPE', help: 'of this event type only' },
      since: { value: 'T', help: 'only what was ordered since then, RFC 3339' },
      limit: { value: 'N', help: 'how many, 1 to 1000; 50 unless given' },
      offset: { value: 'N', help: 'how many newer ones to skip' },
    },
    help: 'what was and will be delivered, to one receiver or to all, newest first',
    async run(ctx, input) {
      const { isMissed, ...filter } = filterOf(input)
      if (isMissed) {
        const { items } = await listMissed(ctx, filter)
        return { json: items.map(missedToJson), text: items.map(missedToLine).join('\n') }
      }
      const { items } = await listDeliveries(ctx, filter)
      return { json: items.map(toJson), text: items.map(toLine).join('\n') }
    },
  },
  {
    path: 'webhook delivery',
    ...ofDelivery,
    help: 'one delivery and every attempt: when, how long, how far it got, what was answered',
    async run(ctx, { args }) {
      const { delivery, attempts } = await explainDelivery(ctx, args['delivery'] ?? '')
      return {
        json: { ...toJson(delivery), log: attempts.map(attemptToJson) },
        text: [toLine(delivery), ...attempts.map(attemptToLine)].join('\n'),
      }
    },
  },
  {
    path: 'webhook resend',
    ...ofDelivery,
    help: 'sends the event of a delivery again, as a new delivery with the same event id',
    async run(ctx, { args }) {
      const delivery = await resendDelivery(ctx, args['delivery'] ?? '')
      return { json: toJson(delivery), text: toLine(delivery) }
    },
  },
  {
    path: 'webhook replay',
    args: ['id'],
    ...ofEndpoint,
    options: {
      since: { value: 'T', required: true, help: 'from when on, RFC 3339' },
      until: { value: 'T', help: 'to before when; now unless given' },
      missed: { flag: true, help: 'only what has not been delivered' },
    },
    help: 'sends what happened since a date again, also what happened while the receiver was disabled or did not exist; a running server does the work',
    async run(ctx, { args: { id = '' }, options }) {
      const { since, until, missed } = options
      const replay = await replayEvents(ctx, {
        endpointId: id,
        since: instantOf('since', String(since)),
        ...(typeof until === 'string' && { until: instantOf('until', until) }),
        onlyMissed: missed === true,
      })
      return { json: replayToJson(replay), text: `Ordered: webhook replays ${id} shows how far it is.` }
    },
  },
  {
    path: 'webhook replays',
    args: ['id'],
    ...ofEndpoint,
    help: 'the replays to a receiver and how far they are, newest first',
    async run(ctx, { args: { id = '' } }) {
      const replays = await listReplays(ctx, id)
      return { json: replays.map(replayToJson), text: replays.map(replayToLine).join('\n') }
    },
  },
]

function filterOf({ args: { id }, options }: CommandInput): DeliveryFilter & { readonly isMissed: boolean } {
  const { status, since, type, ...page } = options
  if (typeof type === 'string' && !isEventType(type))
    throw invalid('type', `must be one of ${eventTypes.join(', ')}`)
  const wanted = typeof status === 'string' ? statusOf(status) : undefined
  return {
    ...(id !== undefined && { endpointId: id }),
    ...(wanted !== undefined && wanted !== NOT_DELIVERED && { status: wanted }),
    ...(typeof type === 'string' && { eventType: type }),
    ...(typeof since === 'string' && { since: instantOf('since', since) }),
    ...parsePage(page),
    isMissed: wanted === NOT_DELIVERED,
  }
}

/** `dead-letter` and `DEAD_LETTER` mean `Dead letter`. */
function statusOf(text: string): DeliveryStatus | typeof NOT_DELIVERED {
  const plain = text.toLowerCase().replaceAll(/[_-]/g, ' ')
  const known = [...deliveryStatuses, NOT_DELIVERED] as const
  const status = known.find((it) => it.toLowerCase() === plain)
  if (!status) throw invalid('status', `must be one of ${known.join(', ')}`)
  return status
}

function instantOf(field: string, text: string): string {
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) throw invalid(field, 'must be an RFC 3339 date')
  return instant.toISOString()
}

const toJson = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts,
  last_error: delivery.lastError,
  replay_of: delivery.replayOf,
  payload: delivery.payload,
  created_at: delivery.createdAt,
  next_attempt_at: delivery.nextAttemptAt,
  finished_at: delivery.finishedAt,
})

function toLine({ id, eventType, status, attempts, lastError, createdAt, replayOf }: Delivery): string {
  const repeats = replayOf === null ? '' : `  repeats ${replayOf}`
  const error = lastError === null ? '' : `  ${lastError}`
  return `${id}  ${createdAt}  ${eventType}  ${status}  ${attempts} attempts${repeats}${error}`
}

const WHY_MISSED = 'not delivered: endpoint disabled'

const missedToJson = ({ endpointId, eventId, eventType, payload, occurredAt }: Missed) => ({
  id: null,
  webhook_id: endpointId,
  event_id: eventId,
  event_type: eventType,
  status: NOT_DELIVERED,
  attempts: 0,
  last_error: WHY_MISSED,
  payload,
  created_at: occurredAt,
})

const missedToLine = ({ eventId, eventType, occurredAt }: Missed): string =>
  `${eventId}  ${occurredAt}  ${eventType}  ${WHY_MISSED}`

const attemptToJson = ({ n, startedAt, ms, phase, status, fault, excerpt }: Attempt) => ({
  n,
  started_at: startedAt,
  ms,
  phase,
  status,
  error: fault,
  response_excerpt: excerpt,
})

/** The excerpt is untrusted: quoted and without control characters, so that it cannot control the terminal. */
function attemptToLine({ n, startedAt, ms, phase, status, fault, excerpt }: Attempt): string {
  const answer = excerpt ? `  ${quoted(excerpt)}` : ''
  return `  ${n}  ${startedAt}  ${ms ?? '-'} ms  ${phase ?? '-'}  ${status ?? fault ?? '-'}${answer}`
}

const quoted = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '�')

const replayToJson = (replay: Replay) => ({
  id: replay.id,
  webhook_id: replay.endpointId,
  since: replay.since,
  until: replay.until,
  only_missed: replay.onlyMissed,
  deliveries: replay.deliveries,
  created_at: replay.createdAt,
  finished_at: replay.finishedAt,
})

const replayToLine = ({ id, since, until, deliveries, finishedAt }: Replay): string =>
  `${id}  ${since} to ${until}  ${deliveries} deliveries  ${finishedAt === null ? 'under way' : 'done'}`
