import { assetRows, countUnassessed } from './asset-rows-store.ts'
import { columns, type Collecting, type ReportKind, type Section } from './kind.ts'

const auditColumns = columns({
  id: ['text', 'Id'],
  name: ['text', 'Name'],
  type: ['text', 'Type'],
  device_type: ['text', 'Device type'],
  owner: ['text', 'Owner'],
  site: ['text', 'Site'],
  state: ['text', 'State'],
  serial: ['text', 'Serial number'],
  asset_tag: ['text', 'Asset tag'],
  vendor: ['text', 'Vendor'],
  model: ['text', 'Model'],
  ip: ['text', 'IP address'],
  mac: ['text', 'MAC address'],
  os: ['text', 'Operating system'],
  first_seen: ['instant', 'First seen'],
  last_seen: ['instant', 'Last seen'],
  sources: ['integer', 'Sources'],
  confidence: ['decimal', 'Confidence'],
  risk: ['decimal', 'Risk'],
  open_findings: ['integer', 'Open findings'],
  purchased_on: ['date', 'Purchased on'],
  price: ['decimal', 'Price'],
  currency: ['text', 'Currency'],
  warranty_ends: ['date', 'Warranty ends'],
  discrepancies: ['text', 'Discrepancies'],
})

/** One row an asset: what is recorded of it, what was seen of it, and where the two differ. */
export const assetAudit: ReportKind = {
  type: 'asset_audit',
  notes: assetNotes,
  sections: (collecting) => [assetSection(collecting)],
}

/** The main table of the audit, which a custom report shows as well. */
export function assetSection({ ctx, assetIds }: Collecting): Section {
  return {
    name: 'assets',
    title: 'Assets',
    isMain: true,
    layout: 'sheets',
    columns: auditColumns,
    empty: 'There are no assets in this scope.',
    rows: assetRows(ctx, assetIds),
  }
}

export async function assetNotes({ ctx, assetIds }: Collecting): Promise<string[]> {
  const unassessed = await countUnassessed(ctx, assetIds)
  return [
    'Owner, site, state, purchase and warranty are not recorded yet: their columns are empty.',
    ...(unassessed > 0
      ? [
          `Of ${unassessed} ${unassessed === 1 ? 'asset' : 'assets'} no source lists the software: ` +
            'risk and findings are unknown there, and unknown is not zero.',
        ]
      : []),
  ]
}
