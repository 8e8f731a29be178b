import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { refuseUnstorableText } from '#platform/http/json-body.ts'
import { controlOf, frameworkOf } from '../catalogue/catalogue.ts'
import { cellsIn } from '../statements/pasted-cells.ts'
import type { ControlText, TextImport } from './control-text.ts'
import * as store from './control-text-store.ts'
import { isJson, readCatalogue } from './oscal-catalogue.ts'

/**
 * Texts of frameworks for which the organisation holds a licence. They are shown to its members, and stand in files of
 * its statements where the licence allows that; nowhere else, and in no other organisation.
 */

/** The catalogue of NIST SP 800-53 has four millions without blanks, ten with them. */
const FILE_LENGTH_MAX = 16_000_000
const ROWS_MAX = 5_000
const TITLE_LENGTH_MAX = 1_000
const TEXT_LENGTH_MAX = 20_000
const columns = ['id', 'title', 'text'] as const

export interface ImportedTexts {
  readonly framework: string
  /**
   * CSV, or cells with tabs or semicolons between them, whose first line names the columns id, title and text; or an
   * OSCAL catalogue as JSON.
   */
  readonly rows: string
  readonly isExported: boolean
}

/** In place of what was imported before, all or nothing. Answers of how many controls. */
export async function importTexts(ctx: Ctx, { framework, rows, isExported }: ImportedTexts): Promise<number> {
  permit(ctx, 'compliance:write')
  if (!frameworkOf(framework)) throw notFound('framework')
  const texts = readTexts(framework, rows)
  await atomically(ctx, async (inner) => {
    await store.replaceTexts(inner, { framework, isExported }, texts)
    const subject = { type: 'framework', id: framework }
    await record(inner, 'framework.texts_imported', subject, { controls: texts.length, exported: isExported })
  })
  return texts.length
}

/** 404 where none were imported. */
export async function removeTexts(ctx: Ctx, framework: string): Promise<void> {
  permit(ctx, 'compliance:write')
  await atomically(ctx, async (inner) => {
    if (!(await store.removeTexts(inner, framework))) throw notFound('framework')
    await record(inner, 'framework.texts_removed', { type: 'framework', id: framework })
  })
}

export function listTextImports(ctx: Ctx): Promise<TextImport[]> {
  permit(ctx, 'compliance:read')
  return store.textImports(ctx)
}

/** For files of statements: those of the framework that its licence lets stand there. */
export function exportedTexts(ctx: Ctx, framework: string): Promise<ControlText[]> {
  permit(ctx, 'compliance:read')
  return store.exportedTexts(ctx, framework)
}

/** Throws 400, which names the line and the column. */
function readTexts(framework: string, rows: string): ControlText[] {
  if (rows.length > FILE_LENGTH_MAX) throw invalid('rows', `have more than ${FILE_LENGTH_MAX} characters`)
  refuseUnstorableText('rows', rows)
  const texts = isJson(rows)
    ? readCatalogue(framework, rows).map((it) => checked(it, `control ${it.controlId}`))
    : readRows(framework, rows)
  if (texts.length === 0) throw invalid('rows', 'must have at least one control')
  return texts
}

function readRows(framework: string, rows: string): ControlText[] {
  const [head = [], ...lines] = cellsIn(rows, ROWS_MAX + 2)
  const names = head.map((it) => it.trim().toLowerCase())
  for (const name of columns)
    if (!names.includes(name)) throw invalid('rows', `line 1: must name the columns ${columns.join(', ')}`)
  if (lines.length > ROWS_MAX) throw invalid('rows', `are more than ${ROWS_MAX}`)
  const found = new Map<string, ControlText>()
  lines.forEach((cells, at) => {
    if (cells.every((it) => it.trim() === '')) return
    const text = textIn(framework, (name) => (cells[names.indexOf(name)] ?? '').trim(), at + 2)
    if (found.has(text.controlId)) throw invalid('rows', `line ${at + 2}: ${text.controlId} is there twice`)
    found.set(text.controlId, text)
  })
  return [...found.values()]
}

function textIn(
  framework: string,
  cell: (name: (typeof columns)[number]) => string,
  line: number,
): ControlText {
  const [controlId, title, text] = [cell('id'), cell('title'), cell('text')]
  if (!controlOf(framework, controlId))
    throw invalid('rows', `line ${line}: there is no control ${controlId} in ${framework}`)
  return checked({ controlId, title, text }, `line ${line}`)
}

function checked(it: ControlText, place: string): ControlText {
  if (it.title === '' || it.title.length > TITLE_LENGTH_MAX)
    throw invalid('rows', `${place}: title must have 1 to ${TITLE_LENGTH_MAX} characters`)
  if (it.text.length > TEXT_LENGTH_MAX)
    throw invalid('rows', `${place}: text has more than ${TEXT_LENGTH_MAX} characters`)
  return it
}
