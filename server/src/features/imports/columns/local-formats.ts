const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
/** 1.299,00 and 1299,5: three digits behind a comma could be thousands. */
const COMMA_AMOUNT = /^(?:\d{1,3}(?:\.\d{3})+|\d+),\d{1,2}$/
/** 1,299.00 */
const GROUPED_AMOUNT = /^\d{1,3}(?:,\d{3})+\.\d{1,2}$/

/** A day as spreadsheets in German write it, by ISO 8601; one with slashes could be read in two ways and stays as it is. */
export function isoDay(text: string): string {
  const [, day, month, year] = DOTTED_DAY.exec(text) ?? []
  if (day === undefined || month === undefined) return text
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** An amount with a decimal point and no thousands separators; one that could be read in two ways stays as it is. */
export function plainAmount(text: string): string {
  if (COMMA_AMOUNT.test(text)) return text.replaceAll('.', '').replace(',', '.')
  return GROUPED_AMOUNT.test(text) ? text.replaceAll(',', '') : text
}
