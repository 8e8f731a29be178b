/** What a statement of a text rests on: one word of a kind, or how several stand to each other. */
export const bases = [
  /** The protocol itself: hardly anything else speaks it. */
  'spoken',
  /** A noun and a product's name say the same. */
  'agreed',
  /** A noun and a product's name say different things; the noun is believed. */
  'contested',
  /** A product's name that its maker's, or another product's of the same type, bears out. */
  'confirmed',
  /** Only something is named that the text is not about. */
  'aside',
  /** A model in its maker's own list of products, or one of a series there. */
  'listed',
  'series',
  'noun',
  'line',
  'model',
  /** Two or three first letters of a model number, beside the maker's name. */
  'short',
  'word',
  /** A family, or a system, of several kinds of device. */
  'family',
  'loose',
  /** An operating system. */
  'system',
  /** A maker who makes mostly one kind of thing. */
  'maker',
  /** A maker who makes one kind of thing with a network address, and no other. */
  'sole',
  /** A maker who makes many: that no type of ours fits is then as likely as this. */
  'named',
  /** No word is one we know: how often no type of ours fits a thing that says so little. */
  'silent',
] as const
export type Basis = (typeof bases)[number]
