import { xmlAttribute } from './xml-text.ts'

/** The parts of a workbook that say which other parts there are. */

const START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

/** `titles` are fit for sheets. */
export function workbook(titles: readonly string[]): string {
  const sheets = titles
    .map((title, at) => `<sheet name="${xmlAttribute(title)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
    .join('')
  return `${START}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${sheets}</sheets></workbook>`
}

export function workbookRelations(sheets: number): string {
  const each = numbers(sheets).map(
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const style = `<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/>`
  return `${START}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}${style}</Relationships>`
}

export const packageRelations = `${START}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

export function contentTypes(sheets: number): string {
  const each = numbers(sheets).map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>`,
  )
  return `${START}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>${each.join('')}</Types>`
}
