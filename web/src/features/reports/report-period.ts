/** What reports understand as a period; anything else would be printed and leave nothing out. */
export const isPeriod = (text: string): boolean =>
  /^(\d{4}(-Q[1-4]|-(0[1-9]|1[0-2]))?|\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d|last-[1-9]\d{0,3}-days)$/.test(text)

/** What is asked for most: days until now, and the last month, quarter and year that are over (UTC). */
export function usualPeriods(now: Date): string[] {
  const monthsAgo = (count: number): Date =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1))
  const [month, quarter] = [monthsAgo(1), monthsAgo((now.getUTCMonth() % 3) + 1)]
  return [
    'last-7-days',
    'last-30-days',
    month.toISOString().slice(0, 'YYYY-MM'.length),
    `${quarter.getUTCFullYear()}-Q${Math.floor(quarter.getUTCMonth() / 3) + 1}`,
    String(now.getUTCFullYear() - 1),
  ]
}
