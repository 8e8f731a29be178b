/**
 * Until when releases of the demo systems and software are maintained, as endoflife.date has it. Systems that are left
 * out have an unknown end, as releases do that are newer than the last copy of the feed.
 */
export const sampleLifecycles = (): unknown => ({
  products: products.map(({ name, label, cpe, releases }) => ({
    name,
    label,
    identifiers: cpe === undefined ? [] : [{ type: 'cpe', id: `cpe:2.3:a:${cpe}` }],
    releases: releases.map(([cycle, endsOn]) => ({ name: cycle, label: cycle, eolFrom: endsOn })),
  })),
})

interface Product {
  readonly name: string
  readonly label: string
  /** Vendor and product; systems are found by name. */
  readonly cpe?: string
  readonly releases: readonly (readonly [cycle: string, endsOn: string])[]
}

const products: readonly Product[] = [
  {
    name: 'ubuntu',
    label: 'Ubuntu',
    releases: [
      ['22.04', '2027-04-01'],
      ['24.04', '2029-04-25'],
    ],
  },
  { name: 'debian', label: 'Debian', releases: [['12', '2026-06-10']] },
  {
    name: 'rhel',
    label: 'Red Hat Enterprise Linux',
    releases: [
      ['8', '2029-05-31'],
      ['9', '2032-05-31'],
    ],
  },
  { name: 'sles', label: 'SUSE Linux Enterprise Server', releases: [['15.5', '2024-12-31']] },
  {
    name: 'windows-server',
    label: 'Windows Server',
    releases: [
      ['2019', '2029-01-09'],
      ['2022', '2031-10-14'],
    ],
  },
  {
    name: 'windows',
    label: 'Windows',
    releases: [
      ['10-22h2', '2025-10-14'],
      ['11-23h2-w', '2025-11-11'],
      ['11-24h2-e', '2027-10-12'],
    ],
  },
  {
    name: 'vmware-esxi',
    label: 'VMware ESXi',
    releases: [
      ['7.0', '2025-10-02'],
      ['8.0', '2027-10-11'],
    ],
  },
  {
    name: 'firefox',
    label: 'Firefox',
    cpe: 'mozilla:firefox',
    releases: [
      ['125', '2024-05-14'],
      ['132', '2024-11-26'],
    ],
  },
]
