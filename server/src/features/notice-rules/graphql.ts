import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import {
  createRule,
  deleteRule,
  getPreferences,
  listOpenItems,
  listRules,
  noticeSubjects,
  setPreferences,
  updateRule,
  type NoticeSubject,
  type OpenItemGroup,
} from './notice-rules.ts'
import type { OpenItem } from './open-items/open-item.ts'
import { digests, type Digest, type NoticeRule, type Preferences } from './rule.ts'

export function graphql(schema: Schema): void {
  const digest = schema.enumType('NoticeDigest', { values: digests })
  const rule = schema.objectRef<NoticeRule>('NoticeRule').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      eventTypes: t.exposeStringList('eventTypes'),
      itemKinds: t.exposeStringList('itemKinds'),
      condition: t.exposeString('condition', { description: 'On events; empty: all.' }),
      channelId: t.exposeID('channelId', { nullable: true, description: 'Null: mail to you.' }),
      digest: t.expose('digest', { type: digest }),
      active: t.exposeBoolean('active'),
      disabledReason: t.exposeString('disabledReason', { nullable: true }),
    }),
  })
  addOpenItems(schema)
  addPreferences(schema)
  const subject = schema.objectRef<NoticeSubject>('NoticeSubject').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      title: t.exposeString('title'),
      isEvent: t.exposeBoolean('isEvent', { description: 'Else a kind of open items.' }),
    }),
  })
  schema.queryFields((t) => ({
    noticeRules: t.field({ type: [rule], description: 'Your own.', resolve: (_, __, ctx) => listRules(ctx) }),
    noticeSubjects: t.field({
      type: [subject],
      description: 'What you can make rules about.',
      resolve: (_, __, ctx) => noticeSubjects(ctx),
    }),
  }))
  addRuleMutations(schema, rule, digest)
}

function addRuleMutations(schema: Schema, rule: TypeOf<NoticeRule>, digest: EnumOf<Digest>): void {
  const args = schema.args((t) => ({
    eventTypes: t.stringList(),
    itemKinds: t.stringList({ description: 'Kinds of open items.' }),
    condition: t.string(),
    channelId: t.id({ description: 'Null: mail to you.' }),
    digest: t.field({ type: digest }),
    active: t.boolean(),
  }))
  schema.mutationFields((t) => ({
    createNoticeRule: t.field({
      type: rule,
      args: { name: t.arg.string({ required: true }), ...args },
      resolve: (_, { name, ...more }, ctx) => createRule(ctx, { name, ...given(more) }),
    }),
    updateNoticeRule: t.field({
      type: rule,
      description: 'What is left out stays; channelId null is mail to you.',
      args: { id: t.arg.id({ required: true }), name: t.arg.string(), ...args },
      resolve: (_, { id, channelId, ...more }, ctx) =>
        updateRule(ctx, id, { ...given(more), ...(channelId !== undefined && { channelId }) }),
    }),
    deleteNoticeRule: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteRule(ctx, id).then(() => id),
    }),
  }))
}

function addOpenItems(schema: Schema): void {
  const item = schema.objectRef<OpenItem>('OpenItem').implement({
    fields: (t) => ({
      key: t.exposeString('key'),
      subject: t.exposeString('subject'),
      link: t.exposeString('link', { description: 'A path of the app below the tenant.' }),
    }),
  })
  const group: TypeOf<OpenItemGroup> = schema.objectRef<OpenItemGroup>('OpenItemGroup').implement({
    fields: (t) => ({
      kind: t.exposeString('kind'),
      title: t.exposeString('title'),
      total: t.exposeInt('total'),
      items: t.field({ type: [item], description: 'The first 20.', resolve: ({ items }) => [...items] }),
    }),
  })
  schema.queryFields((t) => ({
    openItems: t.field({
      type: [group],
      description: 'What waits for people, of the kinds that you may see.',
      resolve: (_, __, ctx) => listOpenItems(ctx),
    }),
  }))
}

function addPreferences(schema: Schema): void {
  const preferences = schema.objectRef<Preferences>('NoticePreferences').implement({
    fields: (t) => ({
      zone: t.exposeString('zone'),
      quietFrom: t.exposeString('quietFrom', { nullable: true, description: 'HH:MM' }),
      quietUntil: t.exposeString('quietUntil', { nullable: true, description: 'HH:MM' }),
      digestHour: t.exposeInt('digestHour'),
      hasSummary: t.exposeBoolean('hasSummary', { description: 'A mail a day about what waits.' }),
    }),
  })
  schema.queryFields((t) => ({
    noticePreferences: t.field({ type: preferences, resolve: (_, __, ctx) => getPreferences(ctx) }),
  }))
  schema.mutationFields((t) => ({
    setNoticePreferences: t.field({
      type: preferences,
      description: 'What is left out stays; quiet hours are taken away by null.',
      args: {
        zone: t.arg.string(),
        quietFrom: t.arg.string(),
        quietUntil: t.arg.string(),
        digestHour: t.arg.int(),
        hasSummary: t.arg.boolean(),
      },
      resolve: (_, { quietFrom, quietUntil, ...more }, ctx) =>
        setPreferences(ctx, {
          ...given(more),
          ...(quietFrom !== undefined && { quietFrom }),
          ...(quietUntil !== undefined && { quietUntil }),
        }),
    }),
  }))
}
