import * as store from './software-license-store.ts'
import { columns, type ReportKind } from './kind.ts'

/** What is installed, against what may be used. */
export const softwareLicense: ReportKind = {
  type: 'software_license',
  notes: async () => [
    'Entitlements and last use are not collected yet: the columns about them are empty, and empty is not zero.',
  ],
  sections: (collecting) => [
    {
      name: 'products',
      title: 'Products',
      isMain: true,
      columns: columns({
        product: ['text', 'Product'],
        vendor: ['text', 'Vendor'],
        metric: ['text', 'Metric'],
        entitled: ['integer', 'Entitled'],
        installed: ['integer', 'Installed'],
        used_90d: ['integer', 'Used, 90 days'],
        assigned: ['integer', 'Assigned'],
        balance: ['integer', 'Balance'],
        cost_of_gap: ['decimal', 'Cost of gap'],
        reclaimable: ['integer', 'Reclaimable'],
        currency: ['text', 'Currency'],
        ends: ['date', 'Ends'],
      }),
      note: 'Applications of Windows, macOS, snap, Flatpak and package lists; packages of a distribution are part of it.',
      empty: 'No source lists software.',
      rows: store.products(collecting),
    },
    {
      name: 'versions',
      title: 'Versions',
      columns: columns({
        product: ['text', 'Product'],
        vendor: ['text', 'Vendor'],
        version: ['text', 'Version'],
        installed: ['integer', 'Installed'],
      }),
      empty: 'No source lists software.',
      rows: store.versions(collecting),
    },
  ],
}
