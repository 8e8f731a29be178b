/** Titles and sentences of the server by their English, `{0}` for what varies. A language fills it; it is loaded with the first. */
export const TITLES: Readonly<Record<string, string>> = {}
