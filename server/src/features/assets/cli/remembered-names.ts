import type { Command } from '#platform/cli/command.ts'
import { forgetName, listRememberedNames, type RememberedName } from '../remembered-names/remembered-names.ts'

/** Answers that hold for every later phone of a name; `asset merge --remember` gives them. */
export const rememberedNameCommands: readonly Command[] = [
  {
    path: 'asset name list',
    tenant: true,
    help: 'names of phones that are one device each, whatever random MAC addresses they have',
    async run(ctx) {
      const names = await listRememberedNames(ctx)
      return { json: names, text: names.map(line).join('\n') || 'Nothing.' }
    },
  },
  {
    path: 'asset name forget',
    canBeTried: true,
    args: ['id'],
    tenant: true,
    help: 'what was one by this name alone is several assets again',
    async run(ctx, { args }) {
      await forgetName(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Forgotten.' }
    },
  },
]

const line = ({ id, name, scope, by, at, reason }: RememberedName): string =>
  [id, name, scope, by, at, reason].join('  ')
