/** Where to go after signing in: a path of this app, whatever a link says (`//evil.example` and `/\evil` are none). */
export function localPath(wanted: string | undefined, origin = location.origin): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/'
  const url = new URL(wanted, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : '/'
}
