import { sentenceCase } from '#lib/sentence-case.ts'

export type Access = 'none' | 'read' | 'write'

export interface Noun {
  readonly noun: string
  readonly title: string
  /** The title within a sentence. */
  readonly words: string
  /** False for the audit log, which has no write permission. */
  readonly canWrite: boolean
}

/** The rows of the permission matrix, from the list of permissions. */
export function nounsOf(permissions: readonly string[]): readonly Noun[] {
  const nouns = [...new Set(permissions.map((it) => it.split(':')[0] ?? ''))]
  return nouns.map((noun) => ({
    noun,
    title: sentenceCase(noun).replace(/^Api/, 'API'),
    words: noun.replaceAll('_', ' ').replace(/^api/, 'API'),
    canWrite: permissions.includes(`${noun}:write`),
  }))
}

/** The highest access of the noun; write includes read. */
export function accessTo(noun: string, held: readonly string[]): Access {
  if (held.includes(`${noun}:write`)) return 'write'
  return held.includes(`${noun}:read`) ? 'read' : 'none'
}

export function withAccess(held: readonly string[], noun: string, access: Access): readonly string[] {
  const others = held.filter((it) => !it.startsWith(`${noun}:`))
  return access === 'none' ? others : [...others, `${noun}:${access}`]
}
