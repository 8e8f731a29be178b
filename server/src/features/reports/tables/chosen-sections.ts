import type { Collecting, Section } from '../kinds/kind.ts'
import type { OpenTable } from './open-table.ts'
import { columnOf, groupRowsOf, tableRowsOf } from './table-store.ts'

/** How many columns fit on a line of paper. */
const PRINTED_MAX = 12

const TITLES = { assets: 'Assets', findings: 'Findings', software: 'Software' } as const

/** The rows, and how many there are of each group. */
export function chosenSections(collecting: Collecting, table: OpenTable): Section[] {
  const { columns, group, chosen } = table
  const rows: Section = {
    name: 'rows',
    title: TITLES[chosen.rows],
    isMain: true,
    columns: columns.map((field, at) => ({
      ...columnOf(field),
      ...(at >= PRINTED_MAX && { isNotPrinted: true as const }),
    })),
    ...(columns.length > PRINTED_MAX && {
      note: `In print the first ${PRINTED_MAX} of ${columns.length} columns; the other formats have all of them.`,
    }),
    empty: 'There is nothing of this in the scope.',
    rows: tableRowsOf(collecting, table),
  }
  return group ? [rows, groups(collecting, { ...table, group })] : [rows]
}

function groups(
  collecting: Collecting,
  table: OpenTable & { group: NonNullable<OpenTable['group']> },
): Section {
  const column = columnOf(table.group, 'group')
  return {
    name: 'groups',
    title: `By ${column.title}`,
    columns: [column, { name: 'count', title: TITLES[table.chosen.rows], kind: 'integer' }],
    chart: { kind: 'bars', label: 'group', value: 'count', isSummable: true },
    empty: 'There is nothing of this in the scope.',
    rows: groupRowsOf(collecting, table),
  }
}

/** What the cover says of it. */
export const tableNotes = ({ chosen, missing }: OpenTable): string[] => [
  ...(chosen.where === undefined ? [] : [`Of findings those where ${chosen.where}.`]),
  ...(missing.length === 0
    ? []
    : [`Left out, because they are gone or who made the report may not read them: ${missing.join(', ')}.`]),
]
