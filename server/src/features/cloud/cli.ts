import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command, CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { connectCloud, listConnections, listResources, syncConnection } from './cloud.ts'
import { cloudProviders } from './cloud-resource.ts'
import { testConnection, type ConnectionCheck } from './connection-test.ts'
import type { CloudConnection } from './connection.ts'
import type { Values } from './connectors/connector.ts'
import { connectors } from './connectors/all.ts'

const connectionOptions: Command['options'] = {
  provider: { value: 'PROVIDER', required: true, help: `one of ${cloudProviders.join(', ')}` },
  'sign-in': {
    value: 'WAY',
    required: true,
    help: connectors
      .map((it) => `${it.provider}: ${it.signIns.map(({ name }) => name).join(', ')}`)
      .join('; '),
  },
  set: { value: 'NAME=VALUE', many: true, help: `a setting; ${settingsHelp()}` },
  'secret-file': {
    value: 'FILE',
    help: 'the secret; what stands on a command line is read by every process',
  },
  'secret-stdin': { flag: true, help: 'read the secret from standard input instead' },
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
      // a type that is not allowed is told of in the coverage; without accounts there is nothing to read
      if (checks[0]?.isAllowed === false) return { ...checksResult(checks), isBad: true }
      const made = await connectCloud(ctx, { ...input, name: String(options['name']) })
      const lines = [...checks.map(checkLine), connectionLine(made)]
      return { json: { ...connectionJson(made), checks }, text: lines.join('\n') }
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
  {
    path: 'cloud resources',
    tenant: true,
    options: {
      provider: { value: 'PROVIDER', help: `one of ${cloudProviders.join(', ')}` },
      type: { value: 'TYPE', help: 'compute, database, storage, kubernetes or function' },
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
): Promise<{ provider: string; signIn: string; values: Values }> {
  const provider = String(options['provider'])
  const signIn = String(options['sign-in'])
  const given = typeof options['set'] === 'string' ? options['set'].split('\n') : []
  const values: Record<string, string> = {}
  for (const setting of given) {
    const at = setting.indexOf('=')
    if (at < 1) throw invalid('set', 'must be written as NAME=VALUE')
    values[setting.slice(0, at)] = setting.slice(at + 1)
  }
  const fields = connectors
    .find((it) => it.provider === provider)
    ?.signIns.find((it) => it.name === signIn)?.fields
  const secret = fields?.find((it) => it.isSecret)
  if (secret && values[secret.name] !== undefined)
    throw invalid('set', `${secret.name} is a secret; give it by --secret-file or --secret-stdin`)
  const content = await secretOf(options)
  if (content !== undefined && secret) values[secret.name] = content
  return { provider, signIn, values }
}

async function secretOf(options: CommandInput['options']): Promise<string | undefined> {
  const file = options['secret-file']
  if (options['secret-stdin']) return (await text(process.stdin)).trim()
  if (typeof file !== 'string') return undefined
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) throw invalid('secret-file', `${file} cannot be read`)
  return content.trim()
}

const checksResult = (checks: readonly ConnectionCheck[]): CommandResult => ({
  json: checks,
  text: checks.map(checkLine).join('\n'),
  ...(checks.some(({ isAllowed }) => !isAllowed) && { isBad: true as const }),
})

const checkLine = ({ account, what, isAllowed, message }: ConnectionCheck): string =>
  `${isAllowed ? 'allowed' : 'REFUSED'}  ${[what, account].filter((it) => it !== '').join(' of ')}${message && `: ${message}`}`

const connectionJson = ({ id, provider, name, isEnabled, problem, ...rest }: CloudConnection) => ({
  id,
  provider,
  name,
  sign_in: rest.signIn,
  settings: rest.settings,
  enabled: isEnabled,
  problem,
  accounts_listed_at: rest.plannedAt,
})

const connectionLine = ({ id, provider, name, isEnabled, problem, plannedAt }: CloudConnection): string => {
  const state = !isEnabled
    ? 'off'
    : problem || (plannedAt === null ? 'waiting for a worker' : `read ${plannedAt}`)
  return `${id}  ${provider} ${name}: ${state}`
}
