/** How the person reads dates and numbers. Null: as their browser and their language have them. */
export interface Formats {
  readonly timeZone: string | null
  readonly dateFormat: 'iso' | 'day_dots' | 'day_slashes' | 'month_slashes' | null
  readonly numberFormat: 'comma_dot' | 'dot_comma' | 'space_comma' | 'apostrophe_dot' | null
}

/** In which the texts of these pages are. */
export const language: string = typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en'

/** Locales that write numbers so. */
const NUMBERS = { comma_dot: 'en', dot_comma: 'de', space_comma: 'fr', apostrophe_dot: 'de-CH' } as const

/** Locales that write dates so, and how much of them; times follow the locale. */
const DATES = {
  iso: ['sv', { dateStyle: 'short' }],
  day_dots: ['de', { dateStyle: 'medium' }],
  day_slashes: ['en-GB', { dateStyle: 'short' }],
  month_slashes: ['en-US', { year: 'numeric', month: '2-digit', day: '2-digit' }],
} as const satisfies Record<NonNullable<Formats['dateFormat']>, [string, Intl.DateTimeFormatOptions]>

const TIMES = {
  dateStyle: { timeStyle: 'medium' },
  parts: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
} as const

/** Until the session says what the person chose. */
let current = made({ timeZone: null, dateFormat: null, numberFormat: null })

export function setFormats(chosen: Formats): void {
  current = made(chosen)
}

export const formats = () => current

function made({ timeZone, dateFormat, numberFormat }: Formats) {
  const [locale, style]: [string, Intl.DateTimeFormatOptions] =
    dateFormat === null ? [language, { dateStyle: 'medium' }] : [...DATES[dateFormat]]
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = style.dateStyle === undefined ? TIMES.parts : TIMES.dateStyle
  const numbers = numberFormat === null ? language : NUMBERS[numberFormat]
  return {
    zone,
    date: new Intl.DateTimeFormat(locale, { ...style, timeZone: zone }),
    exact: new Intl.DateTimeFormat(locale, { ...style, ...clock, timeZone: zone }),
    /** `2027-02-19 14:03:05`, from which the parts of a moment are read. */
    wall: new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone }),
    whole: new Intl.NumberFormat(numbers),
    part: new Intl.NumberFormat(numbers, { style: 'percent', maximumFractionDigits: 0 }),
    decimalSign:
      new Intl.NumberFormat(numbers).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
  }
}
