/** The path to open after signing in; only paths of this app are accepted, not `//evil.example` or `/\evil`. */
export function safeRedirectPath(wanted: string | undefined, origin = location.origin): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/'
  const url = new URL(wanted, origin)
  // normalising dots may result in a path that begins with `//`: /.//other
  const isSameOrigin = url.origin === origin && !url.pathname.startsWith('//')
  return isSameOrigin ? `${url.pathname}${url.search}` : '/'
}
