import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { addSoftwareEntry, listSoftwareEntries, removeSoftwareEntry } from './forbidden-and-allowed.ts'
import { softwareLists, type SoftwareList, type SoftwarePattern } from './list-entry.ts'

const which = {
  name: { value: 'NAME', help: 'of the software; * stands for any text' },
  vendor: { value: 'VENDOR', help: 'of the software; * stands for any text' },
} as const

/** What the tenant forbids and allows. */
export const listCommands: readonly Command[] = [
  {
    path: 'software listed',
    tenant: true,
    options: {
      list: { value: 'LIST', help: 'forbidden or allowed; both unless given' },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'how many to skip' },
    },
    help: 'forbidden and allowed software',
    async run(ctx, { options }) {
      const list = options['list'] === undefined ? undefined : listIn(options['list'])
      const { items, total } = await listSoftwareEntries(ctx, parsePage(options), list)
      return { json: { total, items }, text: items.map(lineOf).join('\n') }
    },
  },
  {
    path: 'software forbid',
    tenant: true,
    options: { ...which, reason: { value: 'TEXT', help: 'why, for whoever finds it on an asset' } },
    help: 'puts software on the list of what is forbidden',
    run: (ctx, input) => add(ctx, 'forbidden', input),
  },
  {
    path: 'software allow',
    tenant: true,
    options: { ...which, reason: { value: 'TEXT', help: 'why' } },
    help: 'puts software on the list of what is allowed',
    run: (ctx, input) => add(ctx, 'allowed', input),
  },
  {
    path: 'software unlist',
    args: ['list'],
    tenant: true,
    options: which,
    help: 'takes software off the list of what is forbidden, or allowed',
    async run(ctx, { args, options }) {
      const entry = { list: listIn(args['list']), ...patternIn(options) }
      await removeSoftwareEntry(ctx, entry)
      return { json: entry, text: `No longer ${entry.list}: ${wordsOf(entry)}` }
    },
  },
]

async function add(ctx: Parameters<Command['run']>[0], list: SoftwareList, { options }: CommandInput) {
  const entry = await addSoftwareEntry(ctx, {
    list,
    ...patternIn(options),
    reason: textOf(options['reason']),
  })
  return { json: entry, text: lineOf(entry) }
}

const textOf = (option: string | true | undefined): string => (typeof option === 'string' ? option : '')

const patternIn = (options: CommandInput['options']): Pick<SoftwarePattern, 'name' | 'vendor'> => ({
  name: textOf(options['name']),
  vendor: textOf(options['vendor']),
})

function listIn(text: string | true | undefined): SoftwareList {
  const list = softwareLists.find((it) => it === text)
  if (!list) throw invalid('list', `is none of ${softwareLists.join(', ')}`)
  return list
}

const lineOf = (entry: SoftwarePattern & { readonly reason: string; readonly software?: number }): string =>
  [
    `${entry.list}: ${wordsOf(entry)}`,
    entry.reason,
    entry.software !== undefined && `installed: ${entry.software}`,
  ]
    .filter(Boolean)
    .join('; ')

const wordsOf = ({ name, vendor }: Pick<SoftwarePattern, 'name' | 'vendor'>): string =>
  [name, vendor && `of ${vendor}`].filter(Boolean).join(' ')
