import { amount as inDigits } from '#lib/numbers.ts'

/** `1234.50` and `EUR` as people write it here. */
export const money = ({ amount, currency }: { readonly amount: string; readonly currency: string }): string =>
  `${inDigits(amount)} ${currency}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-11` is `Nov 2026` */
export const monthName = (month: string): string =>
  `${MONTHS[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`

/** Of costs, the latest first, those of the latest month that is over; the current month is still growing. */
export function settled<T extends { readonly month: string }>(costs: readonly T[]): T | undefined {
  const now = new Date().toISOString().slice(0, 7)
  return costs.find(({ month }) => month < now) ?? costs[0]
}
