import { readdirSync } from 'node:fs'
import { weightsOf } from '../../compression/content-coding.ts'

/** The page of a built app in the language of its sources, and beside it `index.de.html` for each other language. */
export const PAGE = 'index.html'
const OTHER_PAGE = /^index\.([a-z]{2,3})\.html$/
const PAGE_LANGUAGE = 'en'

export const isPage = (file: string): boolean => file === PAGE || OTHER_PAGE.test(file)

/** The cookie with the language that a person chose. */
export const LANGUAGE_COOKIE = 'rollcall_language'

interface Asked {
  readonly cookie?: string | undefined
  readonly 'accept-language'?: string | undefined
}

/**
 * The file of the page in the language that was chosen, else in the one that the browser likes best (RFC 9110
 * §12.5.4; `de-CH` is served by `de`), else in that of the sources.
 */
export function pageFor(folder: string, { cookie = '', 'accept-language': accepted = '' }: Asked): string {
  const others = readdirSync(folder).flatMap((it) => OTHER_PAGE.exec(it)?.[1] ?? [])
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]{2,3})(?:;|$)`).exec(cookie)?.[1]
  const languages = [PAGE_LANGUAGE, ...others]
  const language = languages.find((it) => it === chosen) ?? preferred(accepted, languages)
  return language === PAGE_LANGUAGE ? PAGE : `index.${language}.html`
}

/** The language with the greatest weight; among equals the one named first, and the first of `languages` where none is named. */
function preferred(accepted: string, languages: readonly string[]): string {
  let best = { language: languages[0] ?? PAGE_LANGUAGE, weight: 0 }
  for (const [range, weight] of weightsOf(accepted)) {
    const language = languages.find((it) => range === it || range.startsWith(`${it}-`))
    if (language !== undefined && weight > best.weight) best = { language, weight }
  }
  return best.language
}
