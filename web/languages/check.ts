import { compare } from './compare.ts'
import { LANGUAGES } from './languages.ts'
import { findServerSentences, readSentences } from './server-sentences.ts'
import { readCatalogue } from './translate.ts'
import { untranslated } from './unseen-sentences.ts'

// `npm run texts -w web` prints what each catalogue lacks, as entries to be filled in, and what it has in vain.

const { refusals } = findServerSentences()

for (const language of LANGUAGES) {
  const { missing, unused, different } = compare(readCatalogue(language))
  for (const [text, file] of missing) process.stdout.write(`  ${JSON.stringify(text)}: "", ${file}\n`)
  for (const key of unused) process.stdout.write(`${language}.json has in vain ${JSON.stringify(key)}\n`)
  for (const key of different)
    process.stdout.write(`${language}.json: other placeholders in ${JSON.stringify(key)}\n`)
  if (missing.size + unused.length + different.length > 0) process.exitCode = 1
  const lacking = untranslated(refusals, readSentences(language))
  for (const sentence of lacking)
    process.stdout.write(`  ${JSON.stringify(sentence)}: "", // of the server\n`)
  if (lacking.length > 0) process.exitCode = 1
}
