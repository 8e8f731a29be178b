import type { Preferences } from '#api/session.ts'

/** As the fields have them: empty for what the browser or the language says. */
export type PreferenceValues = { readonly [Key in keyof Preferences]: NonNullable<Preferences[Key]> | '' }

export const toValues = ({
  language,
  timeZone,
  dateFormat,
  numberFormat,
}: Preferences): PreferenceValues => ({
  language: language ?? '',
  timeZone: timeZone ?? '',
  dateFormat: dateFormat ?? '',
  numberFormat: numberFormat ?? '',
})

export const fromValues = ({
  language,
  timeZone,
  dateFormat,
  numberFormat,
}: PreferenceValues): Preferences => ({
  language: language || null,
  timeZone: timeZone || null,
  dateFormat: dateFormat || null,
  numberFormat: numberFormat || null,
})
