import { eventTypes } from '#features/events/events.ts'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import type { CustomHeaders } from './endpoints/custom-headers.ts'
import { deliveryCommands } from './delivery-cli.ts'
import type { Endpoint, EndpointChanges } from './endpoints/endpoint.ts'
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
  tenantOfEndpoint,
  testEndpoint,
  updateEndpoint,
  type EndpointWithSecret,
} from './webhooks.ts'

const settings: Command['options'] = {
  'max-in-flight': { value: 'N|none', help: 'deliveries under way at once; 1 keeps first attempts in order' },
  'max-rate': { value: 'R|none', help: 'attempts a second' },
  'auto-disable-days': {
    value: 'N|never',
    help: 'disable it after so many days without a success and with 10 dead letters; never unless given',
  },
  header: {
    value: 'NAME: VALUE',
    many: true,
    help: 'a header of its own, up to 20; they replace all of before, an empty one removes them',
  },
  active: { value: 'true|false', help: 'a disabled receiver is sent nothing' },
}

const ofEndpoint: Pick<Command, 'args' | 'tenant' | 'tenantOf'> = {
  args: ['id'],
  tenant: true,
  tenantOf: (system, { args: { id = '' } }) => tenantOfEndpoint(system, id),
}

export const commands: readonly Command[] = [
  {
    path: 'webhook create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what it is for' },
      url: { value: 'URL', required: true, help: 'where deliveries are sent, http or https' },
      events: { value: 'A,B', required: true, help: `some of ${eventTypes.join(',')}` },
      secret: { value: 'SECRET', help: 'its own secret, 32 to 128 characters; made unless given' },
      ...settings,
    },
    help: 'creates a webhook and prints its secret once',
    async run(ctx, { options }) {
      const { name = '', url = '', events = [], ...rest } = changesOf(options)
      const secret = typeof options['secret'] === 'string' ? { secret: options['secret'] } : {}
      return oneTimeSecret(await createEndpoint(ctx, { name, url, events, ...rest, ...secret }))
    },
  },
  {
    path: 'webhook list',
    tenant: true,
    help: 'the webhooks of the tenant',
    async run(ctx) {
      const endpoints = await listEndpoints(ctx)
      return { json: endpoints.map(toJson), text: endpoints.map(toLine).join('\n') }
    },
  },
  {
    path: 'webhook update',
    ...ofEndpoint,
    options: {
      name: { value: 'NAME', help: 'what it is for' },
      url: { value: 'URL', help: 'where deliveries are sent, pending ones included' },
      events: { value: 'A,B', help: `some of ${eventTypes.join(',')}` },
      ...settings,
    },
    help: 'changes a webhook; options that are not given stay',
    async run(ctx, { args: { id = '' }, options }) {
      const endpoint = await updateEndpoint(ctx, id, changesOf(options))
      return { json: toJson(endpoint), text: toLine(endpoint) }
    },
  },
  {
    path: 'webhook delete',
    ...ofEndpoint,
    help: 'deletes a webhook and its pending deliveries',
    async run(ctx, { args: { id = '' } }) {
      await deleteEndpoint(ctx, id)
      return { json: { id }, text: `Removed webhook ${id}.` }
    },
  },
  {
    path: 'webhook rotate',
    ...ofEndpoint,
    help: 'replaces the secret; the old one is no longer used',
    run: async (ctx, { args: { id = '' } }) => oneTimeSecret(await rotateSecret(ctx, id)),
  },
  {
    path: 'webhook test',
    ...ofEndpoint,
    help: 'sends a test delivery now, 10 a minute at most; exit code 0 says that it was sent, "success" how it went',
    async run(ctx, { args: { id = '' } }) {
      const result = await testEndpoint(ctx, id)
      const text = result.success
        ? `Delivered in ${result.ms} ms.`
        : `Failed after ${result.ms} ms: ${result.error}.`
      return { json: result, text }
    },
  },
  ...deliveryCommands,
]

function changesOf(options: CommandInput['options']): EndpointChanges {
  const { name, url, events, active, header } = options
  const maxInFlight = numberOf(options, 'max-in-flight')
  const maxRate = numberOf(options, 'max-rate')
  const autoDisableDays = numberOf(options, 'auto-disable-days')
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof url === 'string' && { url }),
    ...(typeof events === 'string' && { events: events.split(',').map((it) => it.trim()) }),
    ...(typeof active === 'string' && { active: truthOf(active) }),
    ...(typeof header === 'string' && { headers: headersOf(header) }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    ...(maxRate !== undefined && { maxRate }),
    ...(autoDisableDays !== undefined && { autoDisableDays }),
  }
}

function truthOf(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalid('active', 'must be true or false')
  return text === 'true'
}

/** Null removes the limit. */
function numberOf(options: CommandInput['options'], name: string): number | null | undefined {
  const text = options[name]
  if (typeof text !== 'string') return undefined
  if (text === 'none' || text === 'never') return null
  if (!/^\d+(\.\d+)?$/.test(text)) throw invalid(name.replaceAll('-', '_'), 'must be a number, or none')
  return Number(text)
}

function headersOf(text: string): CustomHeaders {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':')
    if (colon < 1) throw invalid('headers', 'must be given as NAME: VALUE')
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at)
  if (twice) throw invalid('headers', `${twice[0]} is given twice`)
  return Object.fromEntries(pairs)
}

function oneTimeSecret({ endpoint, secret }: EndpointWithSecret): CommandResult {
  return {
    json: { ...toJson(endpoint), secret },
    text: `${secret}\n\nThis is the whole secret; it is not shown again. Webhook ${endpoint.id} to ${endpoint.url}.`,
  }
}

const toJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  name: endpoint.name,
  url: endpoint.url,
  events: endpoint.events,
  active: endpoint.active,
  disabled_reason: endpoint.disabledReason,
  secret_prefix: endpoint.secretPrefix,
  headers: endpoint.headerNames,
  max_in_flight: endpoint.maxInFlight,
  max_rate: endpoint.maxRate,
  auto_disable_days: endpoint.autoDisableDays,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
})

function toLine({ id, name, url, events, active, disabledReason, secretPrefix }: Endpoint): string {
  const state = active ? 'active' : `disabled${disabledReason === null ? '' : ` (${disabledReason})`}`
  return `${id}  ${state}  ${name}  ${url}  ${events.join(',')}  secret ${secretPrefix}…`
}
