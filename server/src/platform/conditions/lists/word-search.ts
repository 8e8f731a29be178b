import { sql, type RawBuilder } from 'kysely'
import { textIn } from '../field.ts'
import type { SubjectRows } from '../subject.ts'

const NAME = 'search words'

/** How free words find rows: anywhere in `words`, an SQL text that is in small letters. */
export const searchedIn = (words: RawBuilder<unknown>): NonNullable<SubjectRows['search']> => ({
  sql: (text) => sql`(strpos(${words}, ${text.toLowerCase()}) > 0)`,
  texts: { [NAME]: words },
  test: (row, text) => textIn(row, NAME).includes(text.toLowerCase()),
})
