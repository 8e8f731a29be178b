import { columns, noRows, type ReportKind } from './kind.ts'

/** Which things are connected to which, and by what that is known. */
export const topology: ReportKind = {
  type: 'topology',
  notes: async () => ['Links between assets are not collected yet, so no connection is shown.'],
  sections: () => [
    {
      name: 'links',
      title: 'Links',
      isMain: true,
      columns: columns({
        a: ['text', 'Asset'],
        a_port: ['text', 'Port'],
        b: ['text', 'Other asset'],
        b_port: ['text', 'Its port'],
        kind: ['text', 'Kind'],
        vlan: ['text', 'VLAN'],
        speed: ['text', 'Speed'],
        evidence: ['text', 'Known by'],
        first_seen: ['instant', 'First seen'],
        last_seen: ['instant', 'Last seen'],
      }),
      empty: 'Links between assets are not collected yet.',
      rows: noRows(),
    },
  ],
}
