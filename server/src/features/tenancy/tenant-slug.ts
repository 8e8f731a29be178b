/** A DNS label (RFC 1123 §2.1), so that a tenant can have a subdomain. */
const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether the text is a valid tenant slug. */
export const isSlug = (text: string): boolean => SLUG.test(text)
