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
