import type { ReportFormat } from '../report.ts'
import { renderCsv } from './csv.ts'
import type { Render } from './format.ts'
import { renderPdf } from './pdf.ts'
import { renderXlsx } from './xlsx.ts'
import { renderXml } from './xml.ts'

export const renderers: Readonly<Record<ReportFormat, Render>> = {
  csv: renderCsv,
  pdf: renderPdf,
  excel: renderXlsx,
  xml: renderXml,
}
