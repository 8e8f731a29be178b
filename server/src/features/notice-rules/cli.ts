import { grants, memberPermissions, membersByEmail } from '#features/tenancy/tenancy.ts'
import type { Command } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { createRule, deleteRule, listOpenItems, listRules, updateRule } from './notice-rules.ts'
import { digests, type NoticeRule } from './rule.ts'

/** Rules belong to people: the commands act as the member whose address they are given, with that member's permissions. */
export const commands: readonly Command[] = [
  {
    path: 'notice rules',
    tenant: true,
    args: ['email'],
    help: 'what a member is told about, where and when',
    async run(ctx, { args }) {
      const rules = await listRules(await asMember(ctx, args['email']))
      return { json: rules, text: rules.map(toLine).join('\n') }
    },
  },
  {
    path: 'notice rule-add',
    tenant: true,
    args: ['email', 'name'],
    options: {
      event: { value: 'TYPE', many: true, help: 'an event type, such as NEW_ASSET' },
      item: { value: 'KIND', many: true, help: 'a kind of what waits for people, such as feed_failing' },
      where: { value: 'CONDITION', help: 'on the events; all unless given' },
      channel: { value: 'ID', help: 'where to; mail to the member unless given' },
      digest: { value: digests.join('|'), help: 'how soon; now unless given' },
    },
    help: 'adds a rule for a member',
    async run(ctx, { args, options }) {
      const rule = await createRule(await asMember(ctx, args['email']), {
        name: args['name'] ?? '',
        eventTypes: linesOf(options['event']),
        itemKinds: linesOf(options['item']),
        condition: textOf(options['where']) ?? '',
        channelId: textOf(options['channel']) ?? null,
        digest: digestOf(textOf(options['digest'])),
      })
      return { json: rule, text: `Added ${rule.name} (${rule.id}).` }
    },
  },
  switching('notice rule-on', true, 'switches a rule of a member on'),
  switching('notice rule-off', false, 'switches a rule of a member off'),
  {
    path: 'notice rule-remove',
    tenant: true,
    args: ['email', 'id'],
    help: 'removes a rule of a member',
    async run(ctx, { args }) {
      await deleteRule(await asMember(ctx, args['email']), args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Removed.' }
    },
  },
  {
    path: 'notice waiting',
    tenant: true,
    args: ['email?'],
    help: 'what waits for people, as the app lists it; for a member, what they may see of it',
    async run(ctx, { args }) {
      const groups = await listOpenItems(args['email'] ? await asMember(ctx, args['email']) : ctx)
      const lines = groups.flatMap(({ title, total, items }) => [
        `${title}: ${total}`,
        ...items.map(({ subject, link }) => `  ${subject}  ${link}`),
      ])
      return { json: groups, text: lines.length === 0 ? 'Nothing waits.' : lines.join('\n') }
    },
  },
]

function switching(path: string, active: boolean, help: string): Command {
  return {
    path,
    tenant: true,
    args: ['email', 'id'],
    help,
    async run(ctx, { args }) {
      const rule = await updateRule(await asMember(ctx, args['email']), args['id'] ?? '', { active })
      return { json: rule, text: toLine(rule) }
    },
  }
}

async function asMember(ctx: Ctx, email = ''): Promise<Ctx> {
  const id = (await membersByEmail(ctx, [email])).get(email.toLowerCase())
  const member = id === undefined ? undefined : await memberPermissions(ctx, id)
  if (id === undefined || !member) throw notFound('member')
  const may = (permission: string) => grants(member.permissions, permission)
  return { ...ctx, actor: { kind: 'user', id, name: member.email, may } }
}

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

const linesOf = (option: string | true | undefined): string[] =>
  (textOf(option) ?? '').split('\n').filter((it) => it !== '')

function digestOf(text = 'now') {
  const digest = digests.find((it) => it === text)
  if (!digest) throw invalid('digest', `must be one of ${digests.join(', ')}`)
  return digest
}

function toLine({ id, name, eventTypes, itemKinds, digest, active, disabledReason }: NoticeRule): string {
  const state = active ? 'on' : (disabledReason ?? 'off')
  return [id, name, [...eventTypes, ...itemKinds].join(','), digest, state].join('  ')
}
