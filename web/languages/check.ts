import { compare } from './compare.ts'
import { LANGUAGES } from './languages.ts'
import { findServerSentences, readSentences } from './server-sentences.ts'
import { readCatalogue } from './translate.ts'

// `npm run texts -w web` prints what each catalogue lacks, as entries to be filled in, and what it has in vain. Of the
// sentences of the server it prints how many are translated; with `--server` those that are not.

const { refusals } = findServerSentences()

for (const language of LANGUAGES) {
  const { missing, unused, different } = compare(readCatalogue(language))
  for (const [text, file] of missing) process.stdout.write(`  ${JSON.stringify(text)}: "", ${file}\n`)
  for (const key of unused) process.stdout.write(`${language}.json has in vain ${JSON.stringify(key)}\n`)
  for (const key of different)
    process.stdout.write(`${language}.json: other placeholders in ${JSON.stringify(key)}\n`)
  if (missing.size + unused.length + different.length > 0) process.exitCode = 1
  const lacking = [...refusals].filter((it) => !(it in readSentences(language)))
  if (process.argv.includes('--server'))
    for (const sentence of lacking) process.stdout.write(`  ${JSON.stringify(sentence)}: "",\n`)
  process.stdout.write(
    `${language}.server.json has ${refusals.size - lacking.length} of ${refusals.size} refusals of the server\n`,
  )
}
