import { runRates } from '#features/cloud/cloud.ts'
import { decimal, textOf, times } from '../budget/decimal.ts'
import { columns, isOfSome, type Collecting, type Rows, type Section } from './kind.ts'

const MONTHS_OF_A_YEAR = decimal('12')

/** What clouds cost in a month, as far as their providers were asked. */
export const cloudSection = (collecting: Collecting): Section => ({
  name: 'clouds',
  title: 'Running costs of clouds',
  permission: 'cloud:read',
  columns: columns({
    provider: ['text', 'Provider'],
    account: ['text', 'Account'],
    month: ['text', 'Month'],
    days: ['text', 'Days'],
    currency: ['text', 'Currency'],
    amount: ['decimal', 'Amount'],
    of_resources: ['decimal', 'Of resources'],
    a_year: ['decimal', 'A year at this rate'],
  }),
  note:
    'The latest whole month of each account as its provider told it; where none is whole, the latest one, and no rate. ' +
    'Of resources: what those in the inventory cost; the rest is disks, traffic, support and the like.',
  empty: isOfSome(collecting)
    ? 'No costs of these assets are known.'
    : 'No costs are known: the costs of no cloud connection are switched on, or none has been read.',
  rows: rateRows(collecting),
})

async function* rateRows({ ctx, asOf, assetIds }: Collecting): Rows {
  const rates = await runRates(ctx, { asOf, assetIds })
  yield rates.map(({ provider, account, month, currency, amount, ofResources, ...it }) => ({
    provider,
    account,
    month,
    days: it.isWhole ? 'all' : it.knownFrom === null ? 'so far' : `${it.knownFrom} to ${it.knownUntil}`,
    currency,
    amount,
    of_resources: ofResources ?? amount,
    ...(it.isWhole && { a_year: textOf(times(decimal(amount), MONTHS_OF_A_YEAR)) }),
  }))
}
