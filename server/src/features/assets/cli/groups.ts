import type { Command, CommandInput } from '#platform/cli/command.ts'
import { notFound } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import type { AssetGroup } from '../groups/group.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from '../groups/groups.ts'

const description = { description: { value: 'TEXT', help: 'what it is for' } }

export const groupCommands: readonly Command[] = [
  {
    path: 'group list',
    tenant: true,
    help: 'groups of assets; members: asset list --where \'group = "NAME"\'',
    async run(ctx) {
      const all = await listGroups(ctx)
      return { json: all, text: all.map(lineOf).join('\n') || 'None.' }
    },
  },
  {
    path: 'group create',
    args: ['name', 'condition...'],
    tenant: true,
    options: description,
    help: 'makes a group of the assets for which a condition is true',
    async run(ctx, { args, options }) {
      const { name = '', condition = '' } = args
      const group = await createGroup(ctx, { name, condition, ...given(options, 'description') })
      return { json: group, text: `Made ${lineOf(group)}.` }
    },
  },
  {
    path: 'group set',
    args: ['name'],
    tenant: true,
    options: {
      ...description,
      name: { value: 'NAME', help: 'another name; conditions find it by the earlier one too' },
      where: { value: 'CONDITION', help: 'another condition' },
    },
    help: 'changes a group; what is not given stays',
    async run(ctx, { args, options }) {
      const { id } = await groupOf(ctx, args)
      const { where } = options
      const group = await updateGroup(ctx, id, {
        ...given(options, 'name'),
        ...given(options, 'description'),
        ...(typeof where === 'string' && { condition: where }),
      })
      return { json: group, text: `Now ${lineOf(group)}.` }
    },
  },
  {
    path: 'group delete',
    args: ['name'],
    tenant: true,
    canBeTried: true,
    help: 'deletes a group that no other group asks about',
    async run(ctx, { args }) {
      const { id, name } = await groupOf(ctx, args)
      await deleteGroup(ctx, id)
      return { json: { id }, text: `Deleted ${name}.` }
    },
  },
]

async function groupOf(ctx: Ctx, args: CommandInput['args']): Promise<AssetGroup> {
  const group = (await listGroups(ctx)).find((it) => it.name === args['name'] || it.id === args['name'])
  if (!group) throw notFound('group')
  return group
}

function given<K extends string>(options: CommandInput['options'], name: K): { [key in K]?: string } {
  const text = options[name]
  return typeof text === 'string' ? ({ [name]: text } as { [key in K]?: string }) : {}
}

const lineOf = ({ name, condition, description: about }: AssetGroup): string =>
  [name, condition, about].filter(Boolean).join('  ')
