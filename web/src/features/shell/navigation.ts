import {
  CalendarX2,
  CopyCheck,
  FileUp,
  Fingerprint,
  Gavel,
  KeyRound,
  LayoutDashboard,
  Package,
  Radar,
  Rss,
  ScrollText,
  Server,
  Settings,
  ShieldAlert,
  Users,
  Vault,
  Webhook,
  type LucideIcon,
} from 'lucide-react'

/** A screen that the navigation, the command palette and the shortcuts lead to. */
export interface Place {
  readonly to:
    | '/'
    | '/assets'
    | '/duplicates'
    | '/vulnerabilities'
    | '/overrides'
    | '/software'
    | '/end-of-life'
    | '/feeds'
    | '/scans'
    | '/credentials'
    | '/host-keys'
    | '/api-keys'
    | '/webhooks'
    | '/imports'
    | '/audit'
    | '/people'
    | '/settings'
  readonly title: string
  readonly icon: LucideIcon
  /** Pressed after `g`. */
  readonly key: string
  /** Without it the place is not offered; null for everyone. */
  readonly permission: string | null
}

interface PlaceGroup {
  readonly title: string
  readonly places: readonly Place[]
}

export const placeGroups: readonly PlaceGroup[] = [
  {
    title: 'Inventory',
    places: [
      { to: '/', title: 'Overview', icon: LayoutDashboard, key: 'o', permission: 'assets:read' },
      { to: '/assets', title: 'Assets', icon: Server, key: 'a', permission: 'assets:read' },
      {
        to: '/duplicates',
        title: 'Possible duplicates',
        icon: CopyCheck,
        key: 'd',
        permission: 'assets:read',
      },
    ],
  },
  {
    title: 'Risk',
    places: [
      {
        to: '/vulnerabilities',
        title: 'Vulnerabilities',
        icon: ShieldAlert,
        key: 'v',
        permission: 'vulnerabilities:read',
      },
      { to: '/overrides', title: 'Overrides', icon: Gavel, key: 'j', permission: 'overrides:read' },
      { to: '/software', title: 'Software', icon: Package, key: 'p', permission: 'assets:read' },
      { to: '/end-of-life', title: 'End of life', icon: CalendarX2, key: 'n', permission: 'assets:read' },
      { to: '/feeds', title: 'Feeds', icon: Rss, key: 'f', permission: 'feeds:read' },
    ],
  },
  {
    title: 'Discovery',
    places: [
      { to: '/scans', title: 'Scans', icon: Radar, key: 's', permission: 'scans:read' },
      { to: '/credentials', title: 'Credentials', icon: Vault, key: 'c', permission: 'credentials:read' },
      { to: '/host-keys', title: 'Host keys', icon: Fingerprint, key: 'h', permission: 'credentials:read' },
      { to: '/imports', title: 'Import', icon: FileUp, key: 'i', permission: 'imports:read' },
    ],
  },
  {
    title: 'Integration',
    places: [
      { to: '/api-keys', title: 'API keys', icon: KeyRound, key: 'k', permission: 'api_keys:read' },
      { to: '/webhooks', title: 'Webhooks', icon: Webhook, key: 'w', permission: 'webhooks:read' },
    ],
  },
  {
    title: 'Administration',
    places: [
      { to: '/people', title: 'Users and roles', icon: Users, key: 'u', permission: 'users:read' },
      { to: '/audit', title: 'Audit log', icon: ScrollText, key: 'l', permission: 'audit:read' },
      { to: '/settings', title: 'Settings', icon: Settings, key: 'e', permission: null },
    ],
  },
]

export const places: readonly Place[] = placeGroups.flatMap((group) => group.places)

export const isOffered = ({ permission }: Place, permissions: readonly string[]): boolean =>
  permission === null || permissions.includes(permission)
