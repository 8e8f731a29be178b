import { Type } from 'typebox'
import { whereQuery } from '#platform/conditions/where-query.ts'
import { invalid } from '#platform/errors.ts'
import { listHeaders, pageQuery, parsePage } from '#platform/http/paging.ts'
import { route, type Route } from '#platform/http/route.ts'
import { changeKindNames, changeKinds, type Change } from './change.ts'
import { listChanges, RETENTION_DAYS } from './changes.ts'

const AnyJson = (description: string) => Type.Unknown({ description })

const ChangeJson = Type.Object(
  {
    position: Type.Integer({ description: 'later changes have greater ones' }),
    at: Type.String({ format: 'date-time' }),
    kind: Type.Enum([...changeKindNames], {
      description: changeKindNames.map((kind) => `${kind}: ${changeKinds[kind].sentence}`).join('; '),
    }),
    assetId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'null when it is about no single asset',
    }),
    assetName: Type.String({ description: 'as it was then' }),
    subject: Type.String({
      description:
        'the field, the software, the ports, the CVE, the name of the other asset or of the source; may be empty',
    }),
    before: AnyJson('null: none'),
    after: AnyJson('null: none'),
    relatedId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'the finding, the other asset or the source',
    }),
    changedBy: Type.String({ description: "a person's address, or the kind and id of who else did it" }),
  },
  { $id: 'Change' },
)

const filter = (description: string, documentedAs: object = {}) =>
  Type.Optional(Type.String({ description, documentedAs }))

const orEmpty = (...forms: readonly object[]) => ({
  type: undefined,
  anyOf: [...forms, { maxLength: 0 }].map((form) => ({ type: 'string', ...form })),
})

export const rest: readonly Route[] = [
  route(
    'GET',
    '/changes',
    {
      summary: `An extension: lists what changed, the oldest first, of the last ${RETENTION_DAYS} days.`,
      query: Type.Object({
        ...pageQuery,
        since: filter(
          'Changes written from then on: a day, an instant or a span before now such as `-1d`. Empty: all.',
          orEmpty({ pattern: '^-\\d{1,4}[hdwmy]$' }, { format: 'date' }, { format: 'date-time' }),
        ),
        until: filter(
          'Changes written before then, said as `since`; of a day, before its end. Empty: all.',
          orEmpty({ pattern: '^-\\d{1,4}[hdwmy]$' }, { format: 'date' }, { format: 'date-time' }),
        ),
        after: filter(
          'A position, as `meta.next` of an earlier page has it: changes behind it. Who always goes on with it misses none.',
          { pattern: '^\\d{0,15}$' },
        ),
        kind: filter(`Of these kinds, separated by commas: ${changeKindNames.join(', ')}. Empty: all.`, {
          pattern: `^(|(${changeKindNames.join('|')})(,(${changeKindNames.join('|')}))*)$`,
        }),
        asset: filter('Of the asset with this id. Empty: of all.', orEmpty({ format: 'uuid' })),
        by: filter('By whom, as `changedBy` has it. Empty: by all.'),
        where: whereQuery('asset', 'site = Oslo'),
      }),
      reply: Type.Object({
        data: Type.Array(ChangeJson),
        meta: Type.Object({
          count: Type.Integer({ description: 'changes in all' }),
          tenant: Type.String({ format: 'uuid' }),
          next: Type.Integer({ description: 'to be given as `after` for the changes behind this page' }),
        }),
      }),
    },
    async (ctx, { query: { since, until, after, kind, asset, by, where, ...rest } }) => {
      const page = parsePage(rest)
      const { items, total, next } = await listChanges(ctx, page, {
        since: since || undefined,
        until: until || undefined,
        after: positionOf(after),
        kinds: kind ? kind.split(',') : [],
        assetId: asset || undefined,
        changedBy: by || undefined,
        where: where || undefined,
      })
      return {
        json: { data: items.map(toJson), meta: { count: total, tenant: ctx.tenantId, next } },
        headers: listHeaders({ ...page, total }),
      }
    },
  ),
]

function positionOf(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d{1,15}$/.test(text)) throw invalid('after', 'must be a whole number, 0 or more')
  return Number(text)
}

const toJson = ({
  position,
  at,
  kind,
  assetId,
  assetName,
  subject,
  before,
  after,
  relatedId,
  changedBy,
}: Change) => ({
  position,
  at,
  kind,
  assetId,
  assetName,
  subject,
  before,
  after,
  relatedId,
  changedBy,
})
