import { amount } from '#lib/numbers.ts'

const NOT_KNOWN = 'not known'

/** A decimal as the server writes it, with thousands apart: `-1,200.50`. `isSigned`: an increase has its sign. */
export function figureText(decimal: string | null, { isSigned = false } = {}): string {
  if (decimal === null) return NOT_KNOWN
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(\..*)?$/.exec(decimal) ?? []
  if (whole === '') return decimal
  const isZero = /^[0.]*$/.test(whole + part)
  const before = sign === '-' ? '−' : isSigned && !isZero ? '+' : ''
  return `${before}${amount(whole + part)}`
}
