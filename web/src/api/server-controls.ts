/** Titles of controls by their English, where they are in words of our own. A language fills it; loaded with the first. */
export const CONTROLS: Readonly<Record<string, string>> = {}
