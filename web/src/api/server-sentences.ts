/** Sentences of the server by their English, `{0}` for what varies. A language fills it; it is loaded when one is shown. */
export const SENTENCES: Readonly<Record<string, string>> = {}
