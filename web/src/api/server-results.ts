/** What scans, discoveries and imports say of themselves, and what notices are about. A language fills it. */
export const RESULTS: Readonly<Record<string, string>> = {}
