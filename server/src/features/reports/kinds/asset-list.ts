import { assetSection } from './asset-audit.ts'
import type { Collecting, Section } from './kind.ts'

/** Those that fit on a line of A4 or Letter, turned; the other formats have all columns of the audit. */
const PRINTED = new Set(['name', 'type', 'owner', 'site', 'state', 'serial', 'ip', 'os', 'last_seen', 'risk'])

/** The assets with the columns of the audit, in print a line each instead of a sheet. */
export function assetList(collecting: Collecting): Section {
  const { layout: _, columns, ...section } = assetSection(collecting)
  return {
    ...section,
    columns: columns.map((it) => (PRINTED.has(it.name) ? it : { ...it, isNotPrinted: true as const })),
  }
}
