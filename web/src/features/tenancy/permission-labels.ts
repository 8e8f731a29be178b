import { sentenceCase } from '#lib/sentence-case.ts'
import { spaced } from '#lib/in-words.ts'

export type Access = 'none' | 'read' | 'write'

export interface Noun {
  readonly noun: string
  readonly title: string
  /** The title within a sentence. */
  readonly words: string
  /** False for statements of applicability, which are read with compliance. */
  readonly canRead: boolean
  /** False for the audit log, which has no write permission. */
  readonly canWrite: boolean
}

/** The one noun that is approved: its permission stands in the column of changes. */
const APPROVED = 'statements'
const titles: Readonly<Record<string, string>> = { [APPROVED]: 'Approval of statements' }

/** The rows of the permission matrix, from the list of permissions. */
export function nounsOf(permissions: readonly string[]): readonly Noun[] {
  const nouns = [...new Set(permissions.map((it) => it.split(':')[0] ?? ''))]
  return nouns.map((noun) => ({
    noun,
    title: titles[noun] ?? sentenceCase(noun).replace(/^Api/, 'API'),
    words: spaced(noun).replace(/^api/, 'API'),
    canRead: permissions.includes(`${noun}:read`),
    canWrite: permissions.includes(highestOf(noun)),
  }))
}

const highestOf = (noun: string): string => `${noun}:${noun === APPROVED ? 'approve' : 'write'}`

/** The highest access of the noun; write includes read. */
export function accessTo(noun: string, held: readonly string[]): Access {
  if (held.includes(highestOf(noun))) return 'write'
  return held.includes(`${noun}:read`) ? 'read' : 'none'
}

export function withAccess(held: readonly string[], noun: string, access: Access): readonly string[] {
  const others = held.filter((it) => !it.startsWith(`${noun}:`))
  if (access === 'none') return others
  return [...others, access === 'write' ? highestOf(noun) : `${noun}:read`]
}
