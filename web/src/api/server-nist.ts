/** Titles of NIST SP 800-53, both halves of "Least Privilege | Privileged Accounts" alone. A language fills it. */
export const NIST: Readonly<Record<string, string>> = {}
