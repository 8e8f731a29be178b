import { sql, type RawBuilder } from 'kysely'

/**
 * What `normalizeText` makes of a text, for columns that hold it as its source told it alone. No index serves it: where
 * rows are many, the normalized text is stored.
 */
export const normalizedBySql = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(btrim(regexp_replace(normalize(${text}, nfkc), '[[:space:]]+', ' ', 'g')))`
