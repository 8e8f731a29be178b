/** Any; nothing is asked of it. */
const HERE = 'http://here.invalid'

/** The path, query and fragment to go to on this site; `/` for whatever leads, or may lead, to another. */
export function safeRedirectPath(text: string): string {
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) || !URL.canParse(text, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(text, HERE)
  // dots may leave `//other` where a path should begin: /.//other
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
