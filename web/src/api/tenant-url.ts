/**
 * The organisation stands in every address, `/t/<slug>/…`: of each screen, so that tabs and links stay in theirs, and
 * of each request, so that nothing is read or written elsewhere than the screen says. A page that is open never
 * changes its organisation: going to another one loads the page anew.
 */
const TENANT = /^\/t\/([^/]+)(?=\/|$)/
/** Screens for people who may be in no organisation. */
const OUTSIDE: readonly string[] = ['/sign-in', '/reset-password', '/invitation']

/** The slug in an address; undefined where it names no organisation. */
export const tenantSlugOf = (pathname: string): string | undefined => TENANT.exec(pathname)?.[1]

export const isTenantless = (pathname: string): boolean => OUTSIDE.includes(pathname)

/** The address of a screen or a request in an organisation: that of this page, unless given. */
export const inTenant = (path: string, slug = tenantSlugOf(location.pathname)): string =>
  slug === undefined ? path : `/t/${slug}${path}`

/** Between the addresses that the browser shows and the paths of the routes, which name no organisation. */
export const tenantRewrite = (slug: string | undefined) => ({
  input: ({ url }: { url: URL }): URL => {
    if (slug !== undefined && tenantSlugOf(url.pathname) === slug)
      url.pathname = url.pathname.slice(inTenant('', slug).length) || '/'
    return url
  },
  output: ({ url }: { url: URL }): URL => {
    if (slug !== undefined && !isTenantless(url.pathname)) url.pathname = inTenant(url.pathname, slug)
    return url
  },
})
