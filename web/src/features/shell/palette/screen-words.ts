import type { NavigationItem } from '../navigation/navigation-item.ts'

interface ScreenWords {
  readonly to: NavigationItem['to']
  readonly words: string
}

/** By what other words people look for a screen: what it is for, and what other inventories call it. */
const screenWords: readonly ScreenWords[] = [
  { to: '/', words: 'dashboard home start' },
  { to: '/changes', words: 'activity history timeline what happened' },
  { to: '/assets', words: 'computers devices hardware hosts inventory items check out check in' },
  { to: '/duplicates', words: 'merge same twice' },
  { to: '/topology', words: 'network map diagram links neighbours' },
  { to: '/groups', words: 'collections saved searches' },
  { to: '/archive', words: 'retired disposed deleted' },
  { to: '/contracts', words: 'licenses license keys seats entitlements suppliers' },
  { to: '/vulnerabilities', words: 'cve findings patches risk' },
  { to: '/overrides', words: 'accepted risk false positive vex' },
  { to: '/feeds', words: 'nvd kev epss advisories' },
  { to: '/software', words: 'programs packages applications apps sbom' },
  { to: '/end-of-life', words: 'eol support lifecycle expiry' },
  { to: '/compliance', words: 'frameworks cis nis2 iso nist evidence proof' },
  { to: '/compliance/checks', words: 'policies rules hardening' },
  { to: '/compliance/controls', words: 'requirements attestations' },
  { to: '/cloud', words: 'aws azure google gcp kubernetes' },
  { to: '/cloud-connections', words: 'aws azure google gcp accounts subscriptions' },
  { to: '/discoveries', words: 'ip range schedule network inventory' },
  { to: '/scans', words: 'ip range network sweep collectors scanning' },
  { to: '/imports', words: 'csv upload migrate snipe-it glpi netbox lansweeper fleet ocs' },
  { to: '/credentials', words: 'passwords vault logins ssh snmp' },
  { to: '/host-keys', words: 'fingerprints known hosts certificates' },
  { to: '/agents', words: 'glpi fusioninventory ocs osquery endpoints laptops' },
  { to: '/flows', words: 'automation rules workflows jobs' },
  { to: '/approvals', words: 'requests confirm' },
  { to: '/reports', words: 'pdf excel budget' },
  { to: '/simulation', words: 'what if plan' },
  { to: '/people', words: 'members accounts permissions sso' },
  { to: '/api-keys', words: 'token rest' },
  { to: '/webhooks', words: 'integrations deliveries' },
  { to: '/partners', words: 'customers msp' },
  { to: '/notices', words: 'alerts notifications mail chat' },
  { to: '/audit', words: 'log who did what proof' },
  { to: '/settings', words: 'account password language locations sites places custom fields' },
]

export const wordsOf = (to: NavigationItem['to']): string =>
  screenWords.find((screen) => screen.to === to)?.words ?? ''
