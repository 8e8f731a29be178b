import { formats } from './formats.ts'
import { inWords } from './in-words.ts'

/** `1,000,000`. */
export const count = (n: number): string => formats().whole.format(n)

/** A share of 0 to 1: `83%`. */
export const percent = (share: number): string => formats().part.format(share)

/** As `percent`, but a share above 0 is never displayed as 0: `<1%`. */
export const shareOf = (n: number, total: number): string => {
  const share = total > 0 ? n / total : 0
  return share > 0 && share < 0.005 ? `<${percent(0.01)}` : percent(share)
}

/** With so many places: `9.8`. */
export const decimal = (n: number, places: number): string => withSign(n.toFixed(places))

/** As `percent`, with so many places: `0.94%`. */
export const percentTo = (share: number, places: number): string =>
  percent(0).replace('0', decimal(share * 100, places))

/** A number as the server writes it, `1234.50`; none is made of it, so that no cent is lost. */
export const withSign = (written: string): string => written.replace('.', formats().decimalSign)

/** An amount of money as the server writes it, `48000.00`: `48,000.00`. */
export function amount(written: string): string {
  const [whole = '', part] = written.split('.')
  if (!/^-?\d+$/.test(whole)) return written
  const { whole: format, decimalSign } = formats()
  return format.format(BigInt(whole)) + (part === undefined ? '' : decimalSign + part)
}

/** `1 asset`, `2 assets`. */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${count(n)} ${plural(n, one, more)}`

/** The word for so many, without their number. */
export const plural = (n: number, one: string, more: string): string => inWords(n === 1 ? one : more)
