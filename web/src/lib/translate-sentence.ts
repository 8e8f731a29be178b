interface Pattern {
  readonly regex: RegExp
  readonly translation: string
}

const FIELD = /^([\w.[\]-]+): (.+)$/s

/**
 * A sentence of the server by a catalogue of them. Before it the server may have named the field. One that the catalogue
 * does not have stays as it is.
 */
export function translateSentence(sentence: string, sentences: Readonly<Record<string, string>>): string {
  const whole = lookUp(sentence, sentences)
  if (whole !== undefined) return whole
  const [, field, why] = FIELD.exec(sentence) ?? []
  if (field === undefined || why === undefined) return sentence
  return `${field}: ${lookUp(why, sentences) ?? why}`
}

function lookUp(sentence: string, sentences: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(sentences, sentence)) return sentences[sentence]
  for (const { regex, translation } of patternsOf(sentences)) {
    const found = regex.exec(sentence)
    if (found) return translation.replaceAll(/\{(\d+)\}/g, (_, n: string) => found[Number(n) + 1] ?? '')
  }
  return undefined
}

/** What says most comes first: `must be {0}` fits nearly everything. */
const patternsOf = (sentences: Readonly<Record<string, string>>): readonly Pattern[] =>
  Object.entries(sentences)
    .filter(([english]) => english.includes('{0}'))
    .toSorted(([a], [b]) => fixed(b).length - fixed(a).length)
    .map(([english, translation]) => ({ regex: regexOf(english), translation }))

const fixed = (english: string): string => english.replaceAll(/\{\d+\}/g, '')

const regexOf = (english: string): RegExp =>
  new RegExp(
    `^${english
      .split(/\{\d+\}/)
      .map((it) => it.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
      .join('(.+)')}$`,
    's',
  )
