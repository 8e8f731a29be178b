import { language } from '#lib/formats.ts'

/** What the server said, in the language of the person. Its sentences are loaded when the first one is shown. */
export async function inOwnLanguage(sentence: string): Promise<string> {
  if (language === 'en') return sentence
  try {
    const [{ translateSentence }, { SENTENCES }] = await Promise.all([
      import('#lib/translate-sentence.ts'),
      import('./server-sentences.ts'),
    ])
    return translateSentence(sentence, SENTENCES)
  } catch {
    // what it is about matters more than its language
    return sentence
  }
}

interface TitlesOf {
  readonly of: RegExp
  /** What its answers hold, where not every answer of these operations has such titles. */
  readonly holding?: RegExp
  readonly load: () => Promise<Readonly<Record<string, string>>>
}

/** Operations that answer with fields of conditions, or with who tells them. */
export const OF_FIELDS = /Check|Completions|ComplianceOfAsset|TriggerFields/

/** What the server calls things, by the operations that answer with it, so that other screens load none of it. */
const CATALOGUES: readonly TitlesOf[] = [
  {
    of: /Check|Cloud|Compliance|Control|Feed|Flow|Framework|Simulation|Statement/,
    load: () => import('./server-titles.ts').then(({ TITLES }) => TITLES),
  },
  {
    of: /Compliance|Control|Framework|Simulation|Statement/,
    load: () => import('./server-controls.ts').then(({ CONTROLS }) => CONTROLS),
  },
  {
    of: /Compliance|Control|Framework|Statement/,
    // ids such as AC-2(1)
    holding: /"[A-Z]{2}-\d+(\(\d+\))?"/,
    load: () => import('./server-nist.ts').then(({ NIST }) => NIST),
  },
  {
    of: /Discover|EventCatalogue|Flow|Import|Notice|Scan|Webhook/,
    load: () => import('./server-results.ts').then(({ RESULTS }) => RESULTS),
  },
  {
    of: /Import/,
    // why a file or a row was refused
    holding: /"(message|problem)":"[^"]/,
    load: () => import('./server-sentences.ts').then(({ SENTENCES }) => SENTENCES),
  },
  {
    // what is wrong with a flow, why a run ended, or a guard switched the flow off
    of: /Flow(BackTest|Draft|Faults|Run|RunList)?$/,
    holding: /"(fault|message|pausedReason|reason)":"[^"]/,
    load: () => import('./server-sentences.ts').then(({ SENTENCES }) => SENTENCES),
  },
  {
    of: OF_FIELDS,
    load: () => import('./server-fields.ts').then(({ FIELDS }) => FIELDS),
  },
]

/** An answer of the server with its titles of checks, feeds, actions and fields in the language of the person. */
export async function withOwnTitles<Answer>(answer: Answer, operation: string): Promise<Answer> {
  if (language === 'en') return answer
  const wanted = CATALOGUES.filter(
    ({ of, holding }) => of.test(operation) && (!holding || holding.test(JSON.stringify(answer))),
  )
  if (wanted.length === 0) return answer
  try {
    const [{ translateTitles }, ...catalogues] = await Promise.all([
      import('#lib/translate-titles.ts'),
      ...wanted.map(({ load }) => load()),
    ])
    return translateTitles(answer, catalogues)
  } catch {
    return answer
  }
}
