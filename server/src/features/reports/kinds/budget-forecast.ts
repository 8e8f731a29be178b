import { columns, noRows, type ReportKind } from './kind.ts'

/** What has to be replaced when, and what that costs. */
export const budgetForecast: ReportKind = {
  type: 'budget_forecast',
  notes: async () => ['Purchases, warranties and prices are not recorded yet, so nothing has a due day.'],
  sections: () => [
    {
      name: 'replacements',
      title: 'Replacements',
      isMain: true,
      columns: columns({
        asset: ['text', 'Asset id'],
        name: ['text', 'Name'],
        type: ['text', 'Type'],
        department: ['text', 'Department'],
        site: ['text', 'Site'],
        reason: ['text', 'Reason'],
        due_on: ['date', 'Due on'],
        quarter: ['text', 'Quarter'],
        price: ['decimal', 'Price'],
        currency: ['text', 'Currency'],
        price_in_report_currency: ['decimal', 'Price in report currency'],
        price_from: ['text', 'Price from'],
        risk: ['decimal', 'Risk'],
        scenario: ['text', 'Scenario'],
      }),
      empty: 'Nothing has a due day.',
      rows: noRows(),
    },
  ],
}
