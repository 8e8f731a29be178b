const DAY_MS = 24 * 3_600_000
const SOON_DAYS = 14

/** Choices of the expiry: a number of days, `never`, or unchanged. */
export const expiryChoices = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Never' },
]

export const asVariables = (choice: string): { expiresInDays: number | null; never: boolean } => ({
  expiresInDays: /^\d+$/.test(choice) ? Number(choice) : null,
  never: choice === 'never',
})

export const expiresSoon = (expiresAt: string | null, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) - now < SOON_DAYS * DAY_MS
