const LENGTH_MAX = 63
const MARKS = /\p{M}/gu
const NEITHER = /[^a-z0-9]+/g

/** A short name for links made of a name: `Müller & Söhne` becomes `muller-sohne`. Empty: nothing of it can be used. */
export const slugOf = (name: string): string =>
  trimmed(
    trimmed(name.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(NEITHER, '-')).slice(
      0,
      LENGTH_MAX,
    ),
  )

const trimmed = (text: string): string => text.replace(/^-|-$/g, '')
