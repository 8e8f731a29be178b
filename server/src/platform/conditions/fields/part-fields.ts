import { sql, type RawBuilder } from 'kysely'
import type { FieldType } from '../field.ts'
import { normalizedBySql } from './normalized-by-sql.ts'
import type { PartField } from '../subject.ts'

type Others = Partial<Omit<PartField, 'name' | 'type' | 'sentence' | 'source' | 'sql'>>

/** Writes one field: its name, what it means, and its value as SQL. */
export type WriteField = (
  name: string,
  sentence: string,
  value: RawBuilder<unknown>,
  others?: Others,
) => PartField

/** Writes fields whose values come from one source. */
export function fieldsOf(source: string) {
  const ofType =
    (type: FieldType): WriteField =>
    (name, sentence, value, others) => ({ name, type, sentence, source, sql: value, ...others })
  const text = ofType('text')
  /** For a column that holds the text as people spell it alone. Empty is unknown, unless the field is always known. */
  const spelledText: WriteField = (name, sentence, value, others) => {
    const label = others?.isAlwaysKnown ? value : sql`nullif(${value}, '')`
    return text(name, sentence, normalizedBySql(label), { label, ...others })
  }
  return {
    text,
    spelledText,
    number: ofType('number'),
    bool: ofType('bool'),
    date: ofType('date'),
    instant: ofType('instant'),
  }
}
