import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { connectorOf } from '../reading/session.ts'
import type { AccountCost } from '../costs/cost.ts'
import { listCostAccounts, listCosts, switchCosts } from '../costs/costs.ts'

export const costCommands: readonly Command[] = [
  {
    path: 'cloud costs',
    tenant: true,
    options: { connection: { value: 'ID', help: 'of one connection alone' } },
    help: 'what accounts cost in the last thirteen months, as far as their providers were asked',
    async run(ctx, { options }) {
      const id = typeof options['connection'] === 'string' ? options['connection'] : undefined
      const months = await listCosts(ctx, id)
      const accounts = id === undefined ? [] : await listCostAccounts(ctx, id)
      const failed = accounts.filter(({ status }) => status !== 'complete')
      const lines = [
        ...failed.map((it) => `${it.status}  ${it.accountName || it.account}: ${it.reason}`),
        ...months.map(costLine),
      ]
      return {
        json: { accounts, months },
        text: lines.join('\n') || 'no costs are known; `rollcall cloud costs-on` asks for them',
        ...(failed.length > 0 && { isBad: true as const }),
      }
    },
  },
  {
    path: 'cloud costs-on',
    args: ['id'],
    tenant: true,
    options: {
      table: {
        value: 'TABLE',
        help: 'of Google Cloud: PROJECT.DATASET.TABLE of the detailed billing export',
      },
    },
    help: 'has the costs of a connection read every day; asking costs money at AWS and Google Cloud',
    async run(ctx, { args, options }) {
      const { table } = options
      if (table !== undefined && typeof table !== 'string') throw invalid('table', 'must be a text')
      const of = await switchCosts(ctx, args['id'] ?? '', {
        isOn: true,
        ...(table !== undefined && { table }),
      })
      const { note = '' } = connectorOf(of.provider).costs ?? {}
      return { json: { id: of.id, costs: true, note }, text: `costs of ${of.name} are read. ${note}` }
    },
  },
  {
    path: 'cloud costs-off',
    args: ['id'],
    tenant: true,
    help: 'has the costs of a connection read no more; what was read stays',
    async run(ctx, { args }) {
      const { id, name } = await switchCosts(ctx, args['id'] ?? '', { isOn: false })
      return { json: { id, costs: false }, text: `costs of ${name} are read no more` }
    },
  },
]

function costLine(it: AccountCost): string {
  const days = it.isWhole ? '' : ` (${it.knownFrom} to ${it.knownUntil})`
  return `${it.month}  ${it.provider} ${it.accountName || it.account}  ${it.amount} ${it.currency}${days}, ${it.ofResources} of resources`
}
