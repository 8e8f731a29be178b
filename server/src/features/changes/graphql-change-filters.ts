import type { EnumOf, Schema } from '#platform/graphql/schema.ts'
import type { ChangeKind } from './change.ts'

export type ChangeFilters = ReturnType<typeof changeFilters>

/** The arguments by which changes are chosen. */
export const changeFilters = (schema: Schema, kind: EnumOf<ChangeKind>) =>
  schema.args((t) => ({
    since: t.string({ description: 'A day, an instant, or a span before now such as -1d.' }),
    until: t.string({ description: 'Said as `since`: before then; of a day, before its end.' }),
    kinds: t.field({ type: [kind], description: 'Absent or empty: all that the caller may read.' }),
    assetId: t.id(),
    changedBy: t.string(),
    bySystem: t.boolean({
      description: 'False: by people, keys and other members alone. True: by the system itself alone.',
    }),
    where: t.string({ description: 'A condition on the asset as it is now.' }),
  }))
