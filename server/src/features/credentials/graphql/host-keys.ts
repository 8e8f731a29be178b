import { pageArgs, pageFrom, pageType, perItem, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import {
  acceptHostKey,
  addHostKey,
  approveHostKey,
  forgetHostKey,
  listHostKeys,
  refuseHostKey,
} from '../host-keys/host-keys.ts'
import { hostKeyTrusts, type PinnedKey } from '../host-keys/host-key.ts'

export function addHostKeys(schema: Schema): void {
  const trust = schema.enumType('HostKeyTrust', {
    description: 'waiting: a host that nobody knows has shown it, and a person approves or refuses it.',
    values: hostKeyTrusts,
  })
  const type = schema.objectRef<PinnedKey>('HostKey').implement({
    description: 'The key that a host is known by, or that waits for a person to say so.',
    fields: (t) => ({
      id: t.exposeID('id'),
      address: t.exposeString('address'),
      port: t.exposeInt('port'),
      algorithm: t.exposeString('algorithm', { description: 'tls: the certificate of its TLS service.' }),
      fingerprint: t.exposeString('fingerprint'),
      trust: t.expose('trust', { type: trust }),
      scanId: t.exposeID('scanId', {
        nullable: true,
        description: 'The scan that met the host while nobody knew it: it can be repeated after an approval.',
      }),
      firstSeenAt: t.expose('firstSeenAt', { type: 'DateTime' }),
      lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime' }),
      offeredAlgorithm: t.exposeString('offeredAlgorithm', { nullable: true }),
      offeredFingerprint: t.exposeString('offeredFingerprint', {
        nullable: true,
        description: 'What the host showed instead, and was refused for.',
      }),
      offeredAt: t.expose('offeredAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const page = pageType(schema, 'HostKeyPage', type)
  schema.queryFields((t) => ({
    hostKeys: t.field({
      type: page,
      description: 'Those that wait for an answer first, then those that changed.',
      args: { trust: t.arg({ type: trust }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { trust: wanted, ...args }, ctx) => listHostKeys(ctx, pageFrom(args), wanted ?? undefined),
    }),
  }))
  addAnswers(schema, type)
  addChanges(schema, type)
}

/** About a host that nobody knew. */
function addAnswers(schema: Schema, type: TypeOf<PinnedKey>): void {
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    approveHostKey: t.field({
      type,
      description: 'The key is the host’s. The fingerprint is the one that was looked at.',
      args: { ...id, fingerprint: t.arg.string({ required: true }) },
      resolve: (_, args, ctx) => approveHostKey(ctx, args.id, args.fingerprint),
    }),
    refuseHostKey: t.field({
      type,
      description: 'The key is not the host’s: nothing secret is sent to whoever shows it.',
      args: id,
      resolve: (_, args, ctx) => refuseHostKey(ctx, args.id),
    }),
    addHostKey: t.field({
      type,
      description: 'A key that is known before any scan meets the host.',
      args: {
        address: t.arg.string({ required: true }),
        port: t.arg.int({ required: true, defaultValue: 22 }),
        algorithm: t.arg.string({
          required: true,
          description: 'ssh-ed25519 and so on; tls: a certificate.',
        }),
        fingerprint: t.arg.string({ required: true, description: 'SHA256:… as ssh-keygen -l prints it.' }),
      },
      resolve: (_, args, ctx) => addHostKey(ctx, args),
    }),
  }))
}

function addChanges(schema: Schema, type: TypeOf<PinnedKey>): void {
  const id = schema.args((t) => ({ id: t.id({ required: true }) }))
  schema.mutationFields((t) => ({
    acceptHostKey: t.field({
      type,
      description: 'The key that the host showed instead is right.',
      args: id,
      resolve: (_, args, ctx) => acceptHostKey(ctx, args.id),
    }),
    forgetHostKey: t.field({
      type: 'ID',
      description: 'The host is unknown again.',
      args: id,
      resolve: (_, args, ctx) => forgetHostKey(ctx, args.id).then(() => args.id),
    }),
  }))
}
