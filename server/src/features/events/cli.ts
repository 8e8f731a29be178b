import type { Command } from '#platform/cli/command.ts'
import { notFound } from '#platform/errors.ts'
import { catalogue, eventTypes, isEventType, type EventType } from './event-catalogue.ts'

export const commands: readonly Command[] = [
  {
    path: 'events list',
    help: 'the event types that a receiver can subscribe to',
    async run() {
      const kinds = eventTypes.map((type) => ({ type, sent_when: catalogue[type].sentWhen }))
      return { json: kinds, text: kinds.map((it) => `${it.type}  ${it.sent_when}`).join('\n') }
    },
  },
  {
    path: 'events show',
    args: ['type'],
    help: 'one event type: when it is sent, the JSON Schema of its payload, and an example',
    async run(_, { args: { type = '' } }) {
      const name = type.toUpperCase()
      if (!isEventType(name)) throw notFound(`event type ${type}`)
      return { json: described(name), text: asText(name) }
    },
  },
]

const described = (type: EventType) => {
  const { sentWhen, payload, sample } = catalogue[type]
  return { type, sent_when: sentWhen, schema: payload, sample }
}

function asText(type: EventType): string {
  const { sentWhen, payload, sample } = catalogue[type]
  return [
    `${type}: sent when ${sentWhen}.`,
    '',
    'Schema of the payload:',
    JSON.stringify(payload, null, 2),
    '',
    'A sample:',
    JSON.stringify(sample, null, 2),
  ].join('\n')
}
