const whole = new Intl.NumberFormat('en')
const part = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** `1,000,000`. */
export const count = (n: number): string => whole.format(n)

/** A share of 0 to 1: `83%`. */
export const percent = (share: number): string => part.format(share)

/** As `percent`, but a share above 0 is never displayed as 0: `<1%`. */
export const shareOf = (n: number, total: number): string => {
  const share = total > 0 ? n / total : 0
  return share > 0 && share < 0.005 ? '<1%' : percent(share)
}

/** `1 asset`, `2 assets`. */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : more}`
