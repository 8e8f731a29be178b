import { reportFormats } from '../report.ts'

export const statementFormats = reportFormats
export type StatementFormat = (typeof statementFormats)[number]
