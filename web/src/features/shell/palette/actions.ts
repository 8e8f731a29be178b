import type { NavigationItem } from '../navigation/navigation-item.ts'
import type { Command } from './command.ts'

/** What the command palette offers beside screens: a form on the screen that has it. */
export interface Action {
  readonly title: string
  /** Other words by which people look for it. */
  readonly words: string
  readonly to: NavigationItem['to']
  readonly permission: string
}

export const actions: readonly Action[] = [
  { title: 'New asset', words: 'add create', to: '/assets', permission: 'assets:write' },
  { title: 'New scan target', words: 'sweep network range', to: '/scans', permission: 'scans:write' },
  {
    title: 'New credential',
    words: 'password login ssh snmp vault',
    to: '/credentials',
    permission: 'credentials:write',
  },
  { title: 'Add agents', words: 'install enrol', to: '/agents', permission: 'agents:write' },
  { title: 'New report', words: 'pdf excel csv', to: '/reports', permission: 'reports:write' },
  { title: 'Invite people', words: 'user member colleague', to: '/people', permission: 'users:write' },
  { title: 'New API key', words: 'token', to: '/api-keys', permission: 'api_keys:write' },
  { title: 'New webhook', words: 'hook receiver event', to: '/webhooks', permission: 'webhooks:write' },
]

/** The commands that fit the text: by their title and words, then by what others call them. */
export function bestFirst<C extends Pick<Command, 'title' | 'words' | 'otherNames'>>(
  commands: readonly C[],
  wanted: string,
): readonly C[] {
  const named = commands.filter(({ title, words = '' }) => fits(wanted, title, words))
  const known = commands.filter(
    (command) => !named.includes(command) && fits(wanted, command.title, command.otherNames ?? ''),
  )
  return [...named, ...known]
}

const CVE = /^cve-\d{4}-\d{4,19}$/i

/** The CVE that the text names, as it is written in lists. */
export const cveIn = (text: string): string | undefined =>
  CVE.test(text.trim()) ? text.trim().toUpperCase() : undefined

/** Whether each word that is looked for is in one of the texts. */
export function fits(wanted: string, ...texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
