/** Where to go after signing in: a path of this app, whatever a link says (`//evil.example` and `/\evil` are none). */
export function safeRedirectPath(wanted: string | undefined, origin = location.origin): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/'
  const url = new URL(wanted, origin)
  // dots may leave `//other` where a path should begin: /.//other
  const isSameOrigin = url.origin === origin && !url.pathname.startsWith('//')
  return isSameOrigin ? `${url.pathname}${url.search}` : '/'
}
