import { fileKinds, reportFormats } from '../report.ts'

/** Those of reports, and OSCAL: a system security plan as JSON. */
export const statementFormats = [...reportFormats, 'oscal'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** `.oscal.json`, so that nobody takes it for any JSON. */
export const extensionOf = (format: StatementFormat): string =>
  format === 'oscal' ? 'oscal.json' : fileKinds[format].extension
