import { language } from './formats.ts'
import { inWords } from './in-words.ts'

/** `virtual_machine` becomes `Virtual machine`. */
export const sentenceCase = (code: string): string => {
  const words = code.replaceAll(/[_.-]/g, ' ')
  return inWords(words.charAt(0).toUpperCase() + words.slice(1))
}

/** A title within a sentence; German nouns keep their capitals. */
export const inSentence = (title: string): string => (language === 'de' ? title : title.toLowerCase())
