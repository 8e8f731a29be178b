import { call } from '#api/client.ts'
import { many } from '#lib/numbers.ts'

/** Result of a VEX import. */
export interface VexImport {
  readonly document: string
  readonly created: number
  readonly ended: number
  readonly unchanged: number
  /** Statements that create no override. */
  readonly skipped: number
}

/** URL of the active overrides as an OpenVEX document. */
export const VEX_URL = '/files/overrides.openvex.json'

export const importVex = (file: File): Promise<VexImport> =>
  call('POST', '/files/vex', { body: file, type: 'application/octet-stream' }) as Promise<VexImport>

/** The result as text. */
export function vexImportSummary({ document, created, ended, unchanged, skipped }: VexImport): string {
  const parts = [
    `${many(created, 'override')} created`,
    ended > 0 && `${many(ended, 'earlier one')} ended`,
    unchanged > 0 && `${many(unchanged, 'was', 'were')} known`,
    skipped > 0 && `${many(skipped, 'statement closes', 'statements close')} nothing`,
  ]
  return `${document}: ${parts.filter(Boolean).join(', ')}`
}
