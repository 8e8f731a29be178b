import type { ReportFormat } from '../report.ts'

export interface RenderOrder {
  readonly format: ReportFormat
  /** Of a dataset, deflated. */
  readonly dataset: Uint8Array
  /** SHA-256 of its lines, hexadecimal. */
  readonly digest: string
  /** With the fonts of the operator that the dataset names. */
  readonly fontsFolder?: string | undefined
}

/** What the process is told; the dataset follows. */
export interface ProcessOrder extends Omit<RenderOrder, 'dataset'> {
  /** Of the dataset. */
  readonly bytes: number
}

/** Exit code of a process that says why there is no file. */
export const REFUSED = 3
