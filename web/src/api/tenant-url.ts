/**
 * Every URL contains the organisation, `/t/<slug>/…`: URLs of screens, so that tabs and links stay in their
 * organisation, and URLs of requests, so that a request cannot reach another organisation than the screen shows.
 * Switching the organisation loads the page anew.
 */
const TENANT = /^\/t\/([^/]+)(?=\/|$)/
/** Screens without organisation. */
const OUTSIDE: readonly string[] = ['/sign-in', '/reset-password', '/invitation']

/** The slug in a URL path; undefined if it contains none. */
export const tenantSlugOf = (pathname: string): string | undefined => TENANT.exec(pathname)?.[1]

export const isTenantless = (pathname: string): boolean => OUTSIDE.includes(pathname)

/** The path in an organisation: by default the one of this page. */
export const inTenant = (path: string, slug = tenantSlugOf(location.pathname)): string =>
  slug === undefined ? path : `/t/${slug}${path}`

/** Rewrites between browser URLs and route paths, which do not contain the organisation. */
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
