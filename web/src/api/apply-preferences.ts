import { language, setFormats } from '#lib/formats.ts'
import type { Preferences } from './session.ts'

/** Key in session storage: the language for which the page was loaded anew. */
const TRIED = 'rollcall-language'

/** Reads everything as the person wants it from now on. A page in another language is loaded anew, once. */
export function applyPreferences({ language: wanted, ...formats }: Preferences): void {
  setFormats(formats)
  if (wanted === null || wanted === language) return
  if (isFirstTry(wanted)) location.reload()
}

/** The server answers with the page of the cookie that came with the session; a browser may keep none. */
function isFirstTry(wanted: string): boolean {
  try {
    const tried = sessionStorage.getItem(TRIED)
    sessionStorage.setItem(TRIED, wanted)
    return tried !== wanted
  } catch {
    return false
  }
}
