import { Refusal } from '#platform/errors.ts'
import type { ReportFormat } from '../report.ts'
import { renderCsv } from './csv.ts'
import type { Render } from './format.ts'
import { renderXlsx } from './xlsx.ts'
import { renderXml } from './xml.ts'

export const renderers: Readonly<Record<ReportFormat, Render>> = {
  csv: renderCsv,
  pdf: refusePdf,
  excel: renderXlsx,
  xml: renderXml,
}

function refusePdf(): never {
  throw new Refusal(501, 'not_implemented', 'PDF files are not made yet; choose CSV, XML or Excel')
}
