/** A place in a source that stands for a `{placeholder}` or a `<tag>` of a text. */
export interface Place {
  readonly start: number
  readonly end: number
}

export interface FoundText extends Place {
  /** As the catalogue has it: with `{name}` for an expression, `<0>…</0>` for an element. */
  readonly text: string
  /** The spaces at its ends, which are no part of it. */
  readonly ends: readonly [before: string, after: string]
  /** `plural`: two arguments, one for 1 and one for all else. */
  readonly kind: 'string' | 'attribute' | 'template' | 'children' | 'plural'
  /** By `{name}`, `<0>`, `</0>` or `<0/>`. */
  readonly places: ReadonlyMap<string, Place>
  /** It is the name of a list or a column, which addresses have in the language of the sources. */
  readonly isNamed?: boolean
}

export function foundText(
  written: string,
  { start, end, kind }: Pick<FoundText, 'start' | 'end' | 'kind'>,
  places: FoundText['places'] = new Map(),
): FoundText {
  const text = written.trim()
  const at = written.indexOf(text)
  return { text, ends: [written.slice(0, at), written.slice(at + text.length)], start, end, kind, places }
}
