/** Display name of a source: the server gives kind and name; the kind is used where there is no name. */
export const sourceName = (source: string): string => source.replace(/^\S+ (?=\S)/, '')
