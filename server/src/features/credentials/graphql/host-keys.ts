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
    description: 'waiting: the key of an unknown host, which a person has to approve or refuse.',
    values: hostKeyTrusts,
  })
  const type = schema.objectRef<PinnedKey>('HostKey').implement({
    description: 'A known host key, or one that waits for approval.',
    fields: (t) => ({
      id: t.exposeID('id'),
      address: t.exposeString('address'),
      port: t.exposeInt('port'),
      algorithm: t.exposeString('algorithm', {
        description: 'tls: the fingerprint is that of a TLS certificate.',
      }),
      fingerprint: t.exposeString('fingerprint'),
      trust: t.expose('trust', { type: trust }),
      scanId: t.exposeID('scanId', {
        nullable: true,
        description:
          'The scan that met the host while its key was not trusted: it can be repeated after an approval.',
      }),
      firstSeenAt: t.expose('firstSeenAt', { type: 'DateTime' }),
      lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime' }),
      offeredAlgorithm: t.exposeString('offeredAlgorithm', { nullable: true }),
      offeredFingerprint: t.exposeString('offeredFingerprint', {
        nullable: true,
        description: 'Another key that the host presented, for which it was refused.',
      }),
      offeredAt: t.expose('offeredAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const page = pageType(schema, 'HostKeyPage', type)
  schema.queryFields((t) => ({
    hostKeys: t.field({
      type: page,
      description: 'Keys that wait for approval first, then those that changed.',
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
      description: 'Trusts a waiting key. The fingerprint must be that of the key.',
      args: { ...id, fingerprint: t.arg.string({ required: true }) },
      resolve: (_, args, ctx) => approveHostKey(ctx, args.id, args.fingerprint),
    }),
    refuseHostKey: t.field({
      type,
      description: 'Refuses a waiting key: nothing secret is sent to a server that presents it.',
      args: id,
      resolve: (_, args, ctx) => refuseHostKey(ctx, args.id),
    }),
    addHostKey: t.field({
      type,
      description: 'Adds a known key before the first scan of the host.',
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
      description: 'Trusts the changed key that the host presented.',
      args: id,
      resolve: (_, args, ctx) => acceptHostKey(ctx, args.id),
    }),
    forgetHostKey: t.field({
      type: 'ID',
      description: 'Deletes the key; the host is unknown again.',
      args: id,
      resolve: (_, args, ctx) => forgetHostKey(ctx, args.id).then(() => args.id),
    }),
  }))
}
