/** Any; nothing is asked of it. */
const BASE = 'http://here.invalid'

/** The path, query and fragment of a redirect target on this origin; `/` for whatever leads, or may lead, elsewhere. */
export function safeRedirectPath(text: string): string {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) || !URL.canParse(text, BASE)) return '/'
  const { origin, pathname, search, hash } = new URL(text, BASE)
  // dots may leave `//other` where a path should begin: /.//other
  return origin === BASE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
