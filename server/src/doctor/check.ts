/** The result of one check; `advice` says how to fix it. */
export interface Check {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly advice?: string
}

export const ok = (check: string, message: string): Check => ({ check, state: 'ok', message })

export const warn = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'warn',
  message,
  advice,
})

export const fail = (check: string, message: string, advice: string): Check => ({
  check,
  state: 'fail',
  message,
  advice,
})
