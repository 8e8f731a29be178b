import { given, pageArgs, pageFrom, pageType, perItem, type Schema } from '#platform/graphql/schema.ts'
import { searchAudit } from './audit.ts'
import type { AuditEntry } from './audit-entry.ts'

export function graphql(schema: Schema): void {
  const page = pageType(schema, 'AuditPage', addEntry(schema))
  schema.queryField('auditEntries', (t) =>
    t.field({
      type: page,
      description: 'Newest first; filters are combined by AND.',
      args: {
        actorId: t.arg.id(),
        action: t.arg.string({ description: 'With a trailing dot a prefix: "api_key.".' }),
        subjectType: t.arg.string(),
        subjectId: t.arg.id(),
        text: t.arg.string({ description: 'A substring of any part of the entry, case-insensitive.' }),
        from: t.arg({ type: 'DateTime', description: 'Inclusive.' }),
        until: t.arg({ type: 'DateTime', description: 'Exclusive.' }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { first, offset, ...search }, ctx) =>
        searchAudit(ctx, { ...pageFrom({ first, offset }), ...given(search) }),
    }),
  )
}

const addEntry = (schema: Schema) =>
  schema.objectRef<AuditEntry>('AuditEntry').implement({
    description: 'Who changed which subject, and from which address.',
    fields: (t) => ({
      id: t.id({ resolve: ({ id }) => String(id) }),
      at: t.expose('at', { type: 'DateTime' }),
      actorKind: t.string({ resolve: ({ actor }) => actor.kind }),
      actorId: t.string({ resolve: ({ actor }) => actor.id }),
      actorName: t.string({ nullable: true, resolve: ({ actor }) => actor.name }),
      address: t.exposeString('address', { nullable: true, description: 'Null: the product itself.' }),
      action: t.exposeString('action', { description: 'For example api_key.revoked.' }),
      subjectType: t.string({ resolve: ({ subject }) => subject.type }),
      subjectId: t.string({ resolve: ({ subject }) => subject.id }),
      details: t.expose('details', { type: 'JSON' }),
    }),
  })
