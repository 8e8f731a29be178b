import type { Cell, Column, Row } from '../dataset/dataset.ts'
import type { DrawnBox } from './network-drawing.ts'

/** Boxes of drawings as rows of a dataset. */

/** Where a box stands is for the writer of the drawing; it is printed in no table. */
export const drawingColumns: readonly Column[] = [
  { name: 'drawing', title: 'Drawing', kind: 'integer' },
  { name: 'title', title: 'Part', kind: 'text' },
  { name: 'box', title: 'Box', kind: 'integer' },
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'type', title: 'Type', kind: 'text' },
  { name: 'parent', title: 'Hangs on box', kind: 'integer' },
  { name: 'crossings', title: 'Also linked to box', kind: 'text' },
  { name: 'elsewhere', title: 'Linked in other drawings', kind: 'text' },
  { name: 'goes_on', title: 'Goes on in drawing', kind: 'integer' },
  { name: 'cuts_off', title: 'Cuts off', kind: 'integer' },
  { name: 'holds', title: 'Holds', kind: 'text' },
  { name: 'members', title: 'Which', kind: 'text' },
  { name: 'column', title: 'Column of the drawing', kind: 'integer' },
  { name: 'row', title: 'Row of the drawing', kind: 'decimal' },
]

export const rowOfBox = (it: DrawnBox): Readonly<Record<string, Cell>> => ({
  drawing: it.drawing,
  title: it.title,
  box: it.box,
  name: it.name,
  type: it.type,
  parent: it.parent,
  crossings: it.crossings.length === 0 ? null : it.crossings.join(', '),
  elsewhere: it.elsewhere,
  goes_on: it.goesOn,
  cuts_off: it.cutsOff,
  holds: it.holds,
  members: it.members,
  column: it.column,
  row: it.row,
})

/** The reverse of `rowOfBox`, of a row with all of `drawingColumns`. */
export function boxOfRow(columns: readonly Column[], row: Row): DrawnBox {
  const cell = (name: string): Cell => row[columns.findIndex((it) => it.name === name)] ?? null
  const text = (name: string) => (cell(name) === null ? null : String(cell(name)))
  const number = (name: string) => (cell(name) === null ? null : Number(cell(name)))
  return {
    drawing: number('drawing') ?? 0,
    title: text('title') ?? '',
    box: number('box') ?? 0,
    name: text('name') ?? '',
    type: text('type'),
    parent: number('parent'),
    crossings: (text('crossings') ?? '').split(', ').flatMap((it) => (it === '' ? [] : Number(it))),
    elsewhere: text('elsewhere'),
    goesOn: number('goes_on'),
    cutsOff: number('cuts_off'),
    holds: text('holds'),
    members: text('members'),
    column: number('column') ?? 0,
    row: number('row') ?? 0,
  }
}
