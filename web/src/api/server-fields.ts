/** What fields of conditions say and where they come from, by their English. A language fills it; loaded with the first. */
export const FIELDS: Readonly<Record<string, string>> = {}
