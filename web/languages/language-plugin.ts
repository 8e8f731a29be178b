import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import {
  readControls,
  readFields,
  readNist,
  readResults,
  readSentences,
  readTitles,
} from './server-sentences.ts'
import { readCatalogue, translateSource } from './translate.ts'

/** The module whose dictionary a language fills with the words that come from the server. */
const WORDS_MODULE = 'lib/in-words.ts'
/** The module with the sentences of the server. */
const SENTENCES_MODULE = 'api/server-sentences.ts'
/** The module with its titles and names of fields. */
const TITLES_MODULE = 'api/server-titles.ts'
/** The module with titles of controls. */
const CONTROLS_MODULE = 'api/server-controls.ts'
/** The module with what its fields say. */
const NIST_MODULE = 'api/server-nist.ts'
const RESULTS_MODULE = 'api/server-results.ts'
const FIELDS_MODULE = 'api/server-fields.ts'
const PLACE = '= {}'

/**
 * Builds the pages in another language than that of their sources. The texts are exchanged where they stand, so that
 * whoever reads the one language loads nothing of the other, and no text is looked up while the pages run. The
 * page is `index.de.html`.
 */
export function inLanguage(language: string | undefined): Plugin[] {
  return language === undefined ? [] : [exchangingTexts(language), renamingPage(language)]
}

function exchangingTexts(language: string): Plugin {
  const catalogue = readCatalogue(language)
  const filling: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    [WORDS_MODULE]: catalogue.words,
    [SENTENCES_MODULE]: readSentences(language),
    [TITLES_MODULE]: readTitles(language),
    [CONTROLS_MODULE]: readControls(language),
    [NIST_MODULE]: readNist(language),
    [RESULTS_MODULE]: readResults(language),
    [FIELDS_MODULE]: readFields(language),
  }
  let src = ''
  return {
    name: 'in-language',
    apply: 'build',
    enforce: 'pre',
    configResolved: ({ root }) => void (src = `${root}/src`),
    transform(source, id) {
      const path = relative(src, id).split(sep).join('/')
      if (path.startsWith('..') || path.startsWith('api/generated/') || !/\.tsx?$/.test(path)) return null
      const translated = translateSource(source, path, catalogue)
      const filled = filling[path]
      const code = filled ? translated.replace(PLACE, () => `= ${JSON.stringify(filled)}`) : translated
      return { code, map: null }
    },
    transformIndexHtml: (html) =>
      html
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replaceAll(
          /(aria-label="|<noscript>)([^"<]+)/g,
          (_, before: string, text: string) => before + (catalogue.texts[text] ?? text),
        ),
  }
}

/** After all that writes into the page. */
const renamingPage = (language: string): Plugin => ({
  name: 'page-of-language',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const page = bundle['index.html']
      if (page) page.fileName = `index.${language}.html`
    },
  },
})
