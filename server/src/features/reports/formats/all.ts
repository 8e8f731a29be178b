import type { ReportFormat } from '../report.ts'
import type { Render } from './format.ts'

/** Each is loaded when a file of its format is made: printing needs a library for fonts. */
export const renderers: Readonly<Record<ReportFormat, () => Promise<Render>>> = {
  csv: async () => (await import('./csv.ts')).renderCsv,
  pdf: async () => (await import('./pdf.ts')).renderPdf,
  excel: async () => (await import('./xlsx.ts')).renderXlsx,
  xml: async () => (await import('./xml.ts')).renderXml,
}
