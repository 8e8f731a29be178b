import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { connectCloud, listConnections, listResources, syncConnection } from './cloud.ts'
import { allProviders, allTypes } from './cloud-resource.ts'
import { connectionCommands } from './commands/connection-commands.ts'
import { costCommands } from './commands/cost-commands.ts'
import { connectionJson, connectionLine } from './commands/connection-lines.ts'
import { secretField, secretOf, secretOptions } from './commands/secret-options.ts'
import { proposeConnection } from './connection-setup.ts'
import { testConnection, type ConnectionCheck } from './connection-test.ts'
import type { Values } from './connectors/connector.ts'
import { connectors } from './connectors/all.ts'

const connectionOptions: Command['options'] = {
  id: { value: 'ID', help: 'of `cloud external-id`, whose external id the roles of AWS ask for' },
  provider: { value: 'PROVIDER', required: true, help: `one of ${allProviders.join(', ')}` },
  'sign-in': {
    value: 'WAY',
    required: true,
    help: connectors
      .map((it) => `${it.provider}: ${it.signIns.map(({ name }) => name).join(', ')}`)
      .join('; '),
  },
  set: { value: 'NAME=VALUE', many: true, help: `a setting; ${settingsHelp()}` },
  ...secretOptions,
}

export const commands: readonly Command[] = [
  {
    path: 'cloud connect',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      ...connectionOptions,
      untested: { flag: true, help: 'save it although nothing was asked of the provider' },
    },
    help: 'tests a connection to a cloud provider and saves it; a running server reads it every hour',
    async run(ctx, { options }) {
      const input = await inputOf(options)
      const checks = options['untested'] ? [] : await testConnection(ctx, input)
      // a type that is not allowed is told of in the coverage
      if (checks.some(({ isRefused }) => isRefused)) return { ...checksResult(checks), isBad: true }
      const made = await connectCloud(ctx, { ...input, name: String(options['name']) }, { isTested: true })
      const lines = [...checks.map(checkLine), connectionLine(made)]
      return { json: { ...connectionJson(made), checks }, text: lines.join('\n') }
    },
  },
  {
    path: 'cloud external-id',
    tenant: true,
    help: 'an id for a new connection, the external id that its roles at AWS must ask for, and the subject of its tokens',
    async run(ctx) {
      const { connectionId: id, externalId, issuer, subject } = await proposeConnection(ctx)
      return {
        json: { id, external_id: externalId, issuer, subject },
        text: [
          `id           ${id}`,
          `external id  ${externalId}`,
          `issuer       ${issuer}`,
          `subject      ${subject}`,
        ].join('\n'),
      }
    },
  },
  {
    path: 'cloud test',
    tenant: true,
    options: connectionOptions,
    help: 'asks the provider for everything that a connection would read, once, and saves nothing',
    run: async (ctx, { options }) => checksResult(await testConnection(ctx, await inputOf(options))),
  },
  {
    path: 'cloud list',
    tenant: true,
    help: 'connections to cloud providers by name, never with their secrets',
    async run(ctx) {
      const all = await listConnections(ctx)
      return { json: all.map(connectionJson), text: all.map(connectionLine).join('\n') }
    },
  },
  {
    path: 'cloud sync',
    args: ['id'],
    tenant: true,
    help: 'reads a connection now; a running server does the work',
    async run(ctx, { args }) {
      const connection = await syncConnection(ctx, args['id'] ?? '')
      return { json: connectionJson(connection), text: connectionLine(connection) }
    },
  },
  ...connectionCommands,
  ...costCommands,
  {
    path: 'cloud resources',
    tenant: true,
    options: {
      provider: { value: 'PROVIDER', help: `one of ${allProviders.join(', ')}` },
      type: { value: 'TYPE', help: `one of ${allTypes.join(', ')}` },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'cloud resources by provider and name',
    async run(ctx, { options }) {
      const of = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
      const { items } = await listResources(ctx, parsePage(options), {
        provider: of('provider'),
        type: of('type'),
      })
      const lines = items.map(
        (it) => `${it.id}  ${it.provider} ${it.type}  ${it.region}  ${it.name}  ${it.status}`,
      )
      return { json: items, text: lines.join('\n') }
    },
  },
]

function settingsHelp(): string {
  const names = connectors.map(({ provider, fields, signIns }) => {
    const all = [...fields, ...signIns.flatMap((it) => it.fields)].filter((it) => !it.isSecret)
    return `${provider}: ${[...new Set(all.map(({ name }) => name))].join(', ')}`
  })
  return names.join('; ')
}

async function inputOf(
  options: CommandInput['options'],
): Promise<{ id?: string; provider: string; signIn: string; values: Values }> {
  const provider = String(options['provider'])
  const signIn = String(options['sign-in'])
  const given = typeof options['set'] === 'string' ? options['set'].split('\n') : []
  const values: Record<string, string> = {}
  for (const setting of given) {
    const at = setting.indexOf('=')
    if (at < 1) throw invalid('set', 'must be written as NAME=VALUE')
    values[setting.slice(0, at)] = setting.slice(at + 1)
  }
  const secret = secretField(provider, signIn)
  if (secret && values[secret.name] !== undefined)
    throw invalid('set', `${secret.name} is a secret; give it by --secret-file or --secret-stdin`)
  const content = await secretOf(options)
  if (content !== undefined && secret) values[secret.name] = content
  return { provider, signIn, values, ...(typeof options['id'] === 'string' && { id: options['id'] }) }
}

const checksResult = (checks: readonly ConnectionCheck[]): CommandResult => ({
  json: checks,
  text: checks.map(checkLine).join('\n'),
  ...(checks.some(({ isAllowed }) => !isAllowed) && { isBad: true as const }),
})

const checkLine = ({ account, what, isAllowed, message }: ConnectionCheck): string =>
  `${isAllowed ? 'allowed' : 'REFUSED'}  ${[what, account].filter((it) => it !== '').join(' of ')}${message && `: ${message}`}`
