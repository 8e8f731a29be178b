import { language } from '#lib/formats.ts'
import { hasTitles, titleTranslator, translateTitles } from '#lib/translate-titles.ts'

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

let translating: Promise<(text: string) => string> | undefined

/** An answer of the server with its titles of checks, controls, feeds and fields in the language of the person. */
export async function withOwnTitles<Answer>(answer: Answer): Promise<Answer> {
  if (language === 'en' || !hasTitles(answer)) return answer
  translating ??= import('./server-titles.ts').then(({ TITLES }) => titleTranslator(TITLES))
  try {
    return translateTitles(answer, await translating)
  } catch {
    // asked anew with the next answer
    translating = undefined
    return answer
  }
}
