import { DEFAULT_SCOPE, scopeOfSite } from '#features/assets/assets.ts'

/** The network of targets without a site that the server scans. */
export const SERVER_SCOPE = DEFAULT_SCOPE

/** The beginning of the scopes of sites; the id of the site follows. */
export const SCOPE_OF_SITES = scopeOfSite('')
