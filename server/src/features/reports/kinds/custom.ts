import { assetNotes, assetSection } from './asset-audit.ts'
import type { ReportKind } from './kind.ts'

/** The assets with the columns of the audit, to choose from with a spreadsheet. */
export const custom: ReportKind = {
  type: 'custom',
  notes: assetNotes,
  sections: (collecting) => [assetSection(collecting)],
}
