import { pageArgs, pageFrom, pageType, perItem, type Schema } from '#platform/graphql/schema.ts'
import {
  deleteKnownHost,
  importKnownHosts,
  listKnownHosts,
  type KnownHostsImport,
} from '../host-keys/known-hosts.ts'
import type { StoredKnownHost } from '../host-keys/known-hosts-file.ts'

export function addKnownHosts(schema: Schema): void {
  const type = schema.objectRef<StoredKnownHost>('KnownHost').implement({
    description: 'A line of known_hosts, against which the key of a host is checked at its first scan.',
    fields: (t) => ({
      id: t.exposeID('id'),
      hosts: t.exposeString('hosts', { description: 'As in the file: patterns, or one hashed name.' }),
      algorithm: t.exposeString('algorithm'),
      fingerprint: t.exposeString('fingerprint'),
      isRevoked: t.exposeBoolean('isRevoked', {
        description: 'Marked @revoked: the key must not be trusted.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
  const page = pageType(schema, 'KnownHostPage', type)
  const rejected = schema.objectRef<KnownHostsImport['rejected'][number]>('RejectedKnownHost').implement({
    fields: (t) => ({ line: t.exposeInt('line'), reason: t.exposeString('reason') }),
  })
  const imported = schema.objectRef<KnownHostsImport>('KnownHostsImport').implement({
    fields: (t) => ({
      read: t.exposeInt('read', { description: 'Valid lines.' }),
      added: t.exposeInt('added', { description: 'Lines that were not there before.' }),
      rejected: t.field({ type: [rejected], resolve: (it) => it.rejected }),
    }),
  })
  schema.queryFields((t) => ({
    knownHosts: t.field({
      type: page,
      description: 'The newest first.',
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, args, ctx) => listKnownHosts(ctx, pageFrom(args)),
    }),
  }))
  schema.mutationFields((t) => ({
    importKnownHosts: t.field({
      type: imported,
      description: 'Imports an OpenSSH known_hosts file, hashed names too, or single lines of one.',
      args: { knownHosts: t.arg.string({ required: true }) },
      resolve: (_, args, ctx) => importKnownHosts(ctx, args.knownHosts),
    }),
    deleteKnownHost: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, args, ctx) => deleteKnownHost(ctx, args.id).then(() => args.id),
    }),
  }))
}
