/** A source as people call it: by its name, which the server gives after its kind; by its kind where it has no name. */
export const sourceName = (source: string): string => source.replace(/^\S+ (?=\S)/, '')
