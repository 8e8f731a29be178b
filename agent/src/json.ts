export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Without the fields that are undefined or an empty text: what is not known is not sent. */
export const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] => field[1] !== undefined && field[1] !== '',
    ),
  )

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value when it is a text; empty otherwise. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
