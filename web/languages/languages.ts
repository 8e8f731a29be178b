/** Beside English, in which the sources are written. Each has a catalogue here, and its pages are built of it. */
export const LANGUAGES = ['de'] as const
