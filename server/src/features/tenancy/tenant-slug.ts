/** A label of a host name (RFC 1123 §2.1), so that a tenant can have a subdomain. */
const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether the text can be the short name of a tenant. */
export const isSlug = (text: string): boolean => SLUG.test(text)
