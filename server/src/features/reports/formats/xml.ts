import type { About, Column, Row, SectionHead } from '../dataset/dataset.ts'
import type { OpenDataset } from '../dataset/open-dataset.ts'
import { cellText } from './csv.ts'
import { xmlText } from './xml-text.ts'

/** Of docs/report.xsd. */
const NAMESPACE = 'urn:rollcall:report:1'

/** The whole report in one generic schema, for its columns may be any. What was not collected has no cell. */
export async function* renderXml({ about, sections }: OpenDataset): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<report xmlns="${NAMESPACE}">\n${aboutElement(about)}`
  for await (const { head, rows } of sections) {
    yield sectionStart(head)
    for await (const batch of rows) yield batch.map((row) => rowElement(row, head.columns)).join('')
    yield '  </section>\n'
  }
  yield '</report>\n'
}

/** In the order of the schema. */
function aboutElement({ name, type, snapshotId, asOf, scope, period, notes }: About): string {
  const parts: [string, string][] = [
    ['name', name],
    ['type', type],
    ['snapshot', snapshotId],
    ['asOf', asOf],
    ['scope', scope],
  ]
  if (period !== undefined) parts.push(['period', period])
  for (const note of notes) parts.push(['note', note])
  const elements = parts.map(([tag, text]) => `    <${tag}>${xmlText(text)}</${tag}>\n`).join('')
  return `  <about>\n${elements}  </about>\n`
}

function sectionStart({ name, isMain, columns }: SectionHead): string {
  const heads = columns.map((it) => `    <column name="${it.name}" kind="${it.kind}"/>\n`).join('')
  return `  <section name="${name}"${isMain ? ' main="true"' : ''}>\n${heads}`
}

function rowElement(row: Row, columns: readonly Column[]): string {
  let cells = ''
  row.forEach((cell, at) => {
    if (cell !== null) cells += `<cell of="${columns[at]?.name}">${xmlText(cellText(cell))}</cell>`
  })
  return `    <row>${cells}</row>\n`
}
