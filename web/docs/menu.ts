export interface MenuSection {
  readonly title: string
  /** Names of files in docs/, without `.md`. */
  readonly documents: readonly string[]
}

/** The document at /docs itself. */
export const FIRST = 'start'

/** What the documents stand under, tasks before what is looked up. web/docs/site.test.ts sees that none is left out. */
export const MENU: readonly MenuSection[] = [
  { title: 'Begin', documents: [FIRST, 'install', 'people'] },
  {
    title: 'Find what there is',
    documents: [
      'scanning',
      'credentials',
      'collectors',
      'agents',
      'cloud',
      'records',
      'identity',
      'accuracy',
    ],
  },
  { title: 'Ask and follow', documents: ['conditions', 'changes', 'reports', 'notices', 'flows'] },
  {
    title: 'Vulnerabilities and rules',
    documents: ['software', 'vulnerabilities', 'feeds', 'compliance'],
  },
  {
    title: 'Move from another inventory',
    documents: [
      'migrate-from-fleet',
      'migrate-from-glpi',
      'migrate-from-lansweeper',
      'migrate-from-netbox',
      'migrate-from-ocs',
      'migrate-from-snipe-it',
    ],
  },
  {
    title: 'Connect programs',
    documents: ['webhooks', 'partners', 'clients', 'api-versions', 'graphql'],
  },
  {
    title: 'Run it',
    documents: [
      'packages',
      'configuration',
      'commands',
      'monitoring',
      'background-work',
      'backup',
      'upgrade',
      'cells',
      'sizing',
      'performance',
    ],
  },
]

/** Documents beside docs/, which others link to. */
export const OF_THE_ROOT: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'GLOSSARY.md': 'glossary',
  'SECURITY.md': 'security',
}
