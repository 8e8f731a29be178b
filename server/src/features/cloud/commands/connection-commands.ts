import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { deleteConnection, getConnection, listCoverage, updateConnection } from '../cloud.ts'
import { allProviders, GLOBAL } from '../cloud-resource.ts'
import { connectionJson, connectionLine } from './connection-lines.ts'
import { secretField, secretOf, secretOptions } from './secret-options.ts'
import { offeredSignIns, proposeConnection } from '../connection-setup.ts'
import type { ScopeCoverage } from '../connection.ts'
import { connectors } from '../connectors/all.ts'

/** Commands before a connection is made, and about one that is. */
export const connectionCommands: readonly Command[] = [
  {
    path: 'cloud policy',
    tenant: true,
    options: {
      provider: { value: 'PROVIDER', required: true, help: `one of ${allProviders.join(', ')}` },
      'sign-in': { value: 'WAY', help: 'as of `cloud connect`; the first one unless given' },
      id: { value: 'ID', help: 'of the connection; a new one is proposed unless given' },
    },
    help: 'documents and commands to paste at a provider before a connection is made; words in capitals are yours to replace',
    async run(ctx, { options }) {
      const connector = connectors.find((it) => it.provider === options['provider'])
      if (!connector) throw invalid('provider', `must be one of ${allProviders.join(', ')}`)
      const ways = offeredSignIns(ctx, connector).map(({ name }) => name)
      const signIn = String(options['sign-in'] ?? ways[0])
      if (!ways.includes(signIn)) throw invalid('sign-in', `must be one of ${ways.join(', ')}`)
      const proposed = await proposeConnection(
        ctx,
        typeof options['id'] === 'string' ? options['id'] : undefined,
      )
      const steps = connector.instructions(signIn, proposed)
      const next = `# Then: rollcall cloud connect --id ${proposed.connectionId} --provider ${connector.provider} --sign-in ${signIn} ...`
      const text = [...steps.map((it) => `# ${it.title}\n${it.text}`), next].join('\n\n')
      return { json: { id: proposed.connectionId, steps }, text }
    },
  },
  {
    path: 'cloud coverage',
    args: ['id'],
    tenant: true,
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'what was read of each account, region and type; what did not go well first, and exit code 1 then',
    async run(ctx, { args, options }) {
      const { items, total } = await listCoverage(ctx, args['id'] ?? '', parsePage(options))
      const isBad = items.some(
        ({ status, retiredAt }) => retiredAt === null && (status === 'failed' || status === 'partial'),
      )
      return { json: { total, items }, text: items.map(coverageLine).join('\n'), ...(isBad && { isBad }) }
    },
  },
  {
    path: 'cloud update',
    args: ['id'],
    tenant: true,
    options: {
      name: { value: 'NAME', help: 'what people call it' },
      on: { flag: true, help: 'read it every hour' },
      off: { flag: true, help: 'read it no more; its resources stay as they are' },
      ...secretOptions,
    },
    help: 'changes the name of a connection or its secret, or switches it on or off',
    async run(ctx, { args, options }) {
      if (options['on'] && options['off']) throw invalid('off', 'and on exclude each other')
      const { id, provider, signIn } = await getConnection(ctx, args['id'] ?? '')
      const secret = await secretOf(options)
      const field = secretField(provider, signIn)
      if (secret !== undefined && !field) throw invalid('secret-file', `${signIn} has no secret`)
      const changed = await updateConnection(ctx, id, {
        ...(typeof options['name'] === 'string' && { name: options['name'] }),
        ...((options['on'] || options['off']) && { isEnabled: options['on'] === true }),
        ...(secret !== undefined && field && { secrets: { [field.name]: secret } }),
      })
      return { json: connectionJson(changed), text: connectionLine(changed) }
    },
  },
  {
    path: 'cloud delete',
    args: ['id'],
    tenant: true,
    help: 'deletes a connection with its secret; its resources are no longer listed, the assets that it found stay',
    async run(ctx, { args }) {
      const { id, name } = await getConnection(ctx, args['id'] ?? '')
      await deleteConnection(ctx, id)
      return { json: { id }, text: `${name} is deleted` }
    },
  },
]

function coverageLine(scope: ScopeCoverage): string {
  const { account, accountName, region, type, status, reason, resources, completedAt, retiredAt } = scope
  const where = `${accountName || account} ${region === GLOBAL ? 'all regions' : region} ${type}`
  const state = retiredAt === null ? status : `retired ${retiredAt}`
  return `${state}  ${where}: ${resources}, last read to its end ${completedAt ?? 'NEVER'}${reason && `: ${reason}`}`
}
