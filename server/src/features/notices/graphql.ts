import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { channelKinds, type NoticeChannel } from './channels/channel.ts'
import { deliveryStatuses, type NoticeDelivery } from './notice.ts'
import {
  createChannel,
  deleteChannel,
  listChannels,
  listNoticeDeliveries,
  testChannel,
  updateChannel,
  type ChannelTest,
  type ChannelWithSecret,
} from './notices.ts'

export function graphql(schema: Schema): void {
  const kind = schema.enumType('NoticeChannelKind', { values: channelKinds })
  const channel = schema.objectRef<NoticeChannel>('NoticeChannel').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      destination: t.exposeString('destination', { description: 'The host; of mail the address.' }),
      active: t.exposeBoolean('active'),
      disabledReason: t.exposeString('disabledReason', { nullable: true }),
      confirmedAt: t.expose('confirmedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Of mail: when the person at the address agreed.',
      }),
      failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
      lastError: t.exposeString('lastError', { nullable: true }),
      lastSentAt: t.expose('lastSentAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
  addQueries(schema, channel)
  addMutations(schema, channel)
  schema.mutationFields((t) => ({
    createNoticeChannel: t.field({
      type: schema.objectRef<ChannelWithSecret>('NoticeChannelWithSecret').implement({
        fields: (f) => ({
          channel: f.expose('channel', { type: channel }),
          secret: f.exposeString('secret', { nullable: true, description: 'Of generic; shown this once.' }),
        }),
      }),
      description: 'A mail channel asks its address for consent before it gets anything else.',
      args: {
        name: t.arg.string({ required: true }),
        kind: t.arg({ type: kind, required: true }),
        url: t.arg.string({ description: 'Of all kinds but mail.' }),
        address: t.arg.string({ description: 'Of mail.' }),
        token: t.arg.string({ description: 'Of ntfy: an access token.' }),
        secret: t.arg.string({ description: 'Of generic: made unless given.' }),
      },
      resolve: (_, { name, kind: wanted, ...more }, ctx) =>
        createChannel(ctx, { name, kind: wanted, ...given(more) }),
    }),
  }))
}

function addQueries(schema: Schema, channel: TypeOf<NoticeChannel>): void {
  const status = schema.enumType('NoticeDeliveryStatus', { values: deliveryStatuses })
  const delivery = schema.objectRef<NoticeDelivery>('NoticeDelivery').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      subject: t.exposeString('subject'),
      recipient: t.exposeString('recipient', { description: 'The channel, or the member.' }),
      status: t.expose('status', { type: status }),
      attempts: t.exposeInt('attempts'),
      error: t.exposeString('error', { nullable: true }),
      nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
      sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
  schema.queryFields((t) => ({
    noticeChannels: t.field({
      type: [channel],
      description: 'By name.',
      resolve: (_, __, ctx) => listChannels(ctx),
    }),
    noticeDeliveries: t.field({
      type: pageType(schema, 'NoticeDeliveryPage', delivery),
      description: 'Newest first, of the last 30 days.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, page, ctx) => listNoticeDeliveries(ctx, pageFrom(page)),
    }),
  }))
}

function addMutations(schema: Schema, channel: TypeOf<NoticeChannel>): void {
  const test = schema.objectRef<ChannelTest>('NoticeChannelTest').implement({
    fields: (t) => ({
      success: t.exposeBoolean('success'),
      error: t.exposeString('error', { nullable: true }),
    }),
  })
  const byId = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    updateNoticeChannel: t.field({
      type: channel,
      description: 'What is left out stays; with a new url also token and secret are those given.',
      args: {
        ...byId,
        name: t.arg.string(),
        active: t.arg.boolean(),
        url: t.arg.string(),
        token: t.arg.string(),
        secret: t.arg.string(),
      },
      resolve: (_, { id, ...changes }, ctx) => updateChannel(ctx, id, given(changes)),
    }),
    deleteNoticeChannel: t.field({
      type: 'ID',
      args: byId,
      resolve: (_, { id }, ctx) => deleteChannel(ctx, id).then(() => id),
    }),
    testNoticeChannel: t.field({
      type: test,
      description: 'Sends one notice at once; not retried.',
      args: byId,
      resolve: (_, { id }, ctx) => testChannel(ctx, id),
    }),
  }))
}
