import { columns, noRows, type ReportKind } from './kind.ts'

/** The status of the controls of each framework that the organisation has adopted. */
export const complianceReport: ReportKind = {
  type: 'compliance_report',
  notes: async () => ['No framework is adopted, so no control was judged.'],
  sections: () => [
    {
      name: 'controls',
      title: 'Controls',
      isMain: true,
      columns: columns({
        framework: ['text', 'Framework'],
        control: ['text', 'Control'],
        title: ['text', 'Title'],
        status: ['text', 'Status'],
        previous: ['text', 'Status before'],
        since: ['instant', 'Since'],
        in_scope: ['integer', 'In scope'],
        ok: ['integer', 'Passed'],
        failed: ['integer', 'Failed'],
        unknown: ['integer', 'Unknown'],
        excepted: ['integer', 'Excepted'],
        coverage: ['decimal', 'Coverage'],
        exceptions_end: ['date', 'Exceptions end'],
        attested_until: ['date', 'Attested until'],
        owner: ['text', 'Owner'],
      }),
      empty: 'No framework is adopted.',
      rows: noRows(),
    },
  ],
}
