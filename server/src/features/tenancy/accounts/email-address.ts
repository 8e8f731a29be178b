import { invalid } from '#platform/errors.ts'

/** RFC 5321 §4.5.3.1.3: a path is at most 256 octets with its angle brackets. */
const LENGTH_MAX = 254

/** Checks the form only, not whether the mailbox exists. Refuses other texts with field `email`. */
export function parseEmail(text: string): string {
  const email = text.trim()
  if (email.length > LENGTH_MAX || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid('email', 'must be an e-mail address')
  return email
}

/** The domain, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
