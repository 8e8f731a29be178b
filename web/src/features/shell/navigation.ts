import {
  Archive,
  BellRing,
  CheckCheck,
  CalendarX2,
  ClipboardCheck,
  Cloud,
  CloudCog,
  CopyCheck,
  FileChartColumn,
  FileSignature,
  FileUp,
  Fingerprint,
  FlaskConical,
  Gavel,
  Group,
  Handshake,
  KeyRound,
  LayoutDashboard,
  Package,
  Radar,
  Radio,
  Rss,
  ScanSearch,
  ScrollText,
  Server,
  Settings,
  ShieldAlert,
  Users,
  Vault,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import type { Session } from '#api/session.ts'

/** A screen in the navigation, the command palette and the shortcuts. */
export interface NavigationItem {
  readonly to:
    | '/'
    | '/assets'
    | '/duplicates'
    | '/groups'
    | '/archive'
    | '/vulnerabilities'
    | '/overrides'
    | '/compliance'
    | '/software'
    | '/end-of-life'
    | '/feeds'
    | '/scans'
    | '/discoveries'
    | '/agents'
    | '/cloud'
    | '/cloud-connections'
    | '/credentials'
    | '/host-keys'
    | '/api-keys'
    | '/webhooks'
    | '/flows'
    | '/approvals'
    | '/notices'
    | '/partners'
    | '/imports'
    | '/contracts'
    | '/reports'
    | '/simulation'
    | '/audit'
    | '/people'
    | '/settings'
  readonly title: string
  readonly icon: LucideIcon
  /** Second key of the shortcut, after `g`. */
  readonly key: string
  /** Permission required to see the item; null: none. */
  readonly permission: string | null
  /** It is about all assets of the organisation, so it is not for roles that are limited to some by a condition. */
  readonly isOfAllAssets?: boolean
}

interface NavigationGroup {
  readonly title: string
  readonly items: readonly NavigationItem[]
}

export const navigationGroups: readonly NavigationGroup[] = [
  {
    title: 'Inventory',
    items: [
      { to: '/', title: 'Overview', icon: LayoutDashboard, key: 'o', permission: 'assets:read' },
      { to: '/assets', title: 'Assets', icon: Server, key: 'a', permission: 'assets:read' },
      {
        to: '/duplicates',
        title: 'Possible duplicates',
        icon: CopyCheck,
        key: 'd',
        permission: 'assets:read',
      },
      { to: '/groups', title: 'Groups', icon: Group, key: 'G', permission: 'assets:read' },
      {
        to: '/archive',
        title: 'Archive',
        icon: Archive,
        key: 'R',
        permission: 'assets:read',
        isOfAllAssets: true,
      },
      { to: '/cloud', title: 'Cloud resources', icon: Cloud, key: 'r', permission: 'cloud:read' },
      {
        to: '/contracts',
        title: 'Contracts and licences',
        icon: FileSignature,
        key: 'q',
        permission: 'assets:read',
      },
      { to: '/reports', title: 'Reports', icon: FileChartColumn, key: 't', permission: 'reports:read' },
      {
        to: '/simulation',
        title: 'Simulator',
        icon: FlaskConical,
        key: 'S',
        permission: 'reports:read',
      },
    ],
  },
  {
    title: 'Risk',
    items: [
      {
        to: '/vulnerabilities',
        title: 'Vulnerabilities',
        icon: ShieldAlert,
        key: 'v',
        permission: 'vulnerabilities:read',
      },
      { to: '/overrides', title: 'Overrides', icon: Gavel, key: 'j', permission: 'overrides:read' },
      {
        to: '/compliance',
        title: 'Compliance',
        icon: ClipboardCheck,
        key: 'm',
        permission: 'compliance:read',
        isOfAllAssets: true,
      },
      { to: '/software', title: 'Software', icon: Package, key: 'p', permission: 'assets:read' },
      { to: '/end-of-life', title: 'End of life', icon: CalendarX2, key: 'n', permission: 'assets:read' },
      { to: '/feeds', title: 'Feeds', icon: Rss, key: 'f', permission: 'feeds:read' },
    ],
  },
  {
    title: 'Discovery',
    items: [
      {
        to: '/discoveries',
        title: 'Discoveries',
        icon: ScanSearch,
        key: 'D',
        permission: 'scans:read',
        isOfAllAssets: true,
      },
      { to: '/scans', title: 'Scans', icon: Radar, key: 's', permission: 'scans:read', isOfAllAssets: true },
      {
        to: '/agents',
        title: 'Agents',
        icon: Radio,
        key: 'A',
        permission: 'agents:read',
        isOfAllAssets: true,
      },
      {
        to: '/cloud-connections',
        title: 'Cloud connections',
        icon: CloudCog,
        key: 'z',
        permission: 'cloud:read',
      },
      {
        to: '/credentials',
        title: 'Credentials',
        icon: Vault,
        key: 'c',
        permission: 'credentials:read',
        isOfAllAssets: true,
      },
      {
        to: '/host-keys',
        title: 'Host keys',
        icon: Fingerprint,
        key: 'h',
        permission: 'credentials:read',
        isOfAllAssets: true,
      },
      {
        to: '/imports',
        title: 'Import',
        icon: FileUp,
        key: 'i',
        permission: 'imports:read',
        isOfAllAssets: true,
      },
    ],
  },
  {
    title: 'Integration',
    items: [
      { to: '/flows', title: 'Flows', icon: Workflow, key: 'y', permission: 'flows:read' },
      {
        to: '/approvals',
        title: 'Approvals',
        icon: CheckCheck,
        key: 'Y',
        permission: 'approvals:read',
        isOfAllAssets: true,
      },
      { to: '/notices', title: 'Notices', icon: BellRing, key: 'x', permission: 'notices:read' },
      { to: '/api-keys', title: 'API keys', icon: KeyRound, key: 'k', permission: 'api_keys:read' },
      {
        to: '/webhooks',
        title: 'Webhooks',
        icon: Webhook,
        key: 'w',
        permission: 'webhooks:read',
        isOfAllAssets: true,
      },
      { to: '/partners', title: 'Partners', icon: Handshake, key: 'b', permission: 'partners:read' },
    ],
  },
  {
    title: 'Administration',
    items: [
      { to: '/people', title: 'Users and roles', icon: Users, key: 'u', permission: 'users:read' },
      {
        to: '/audit',
        title: 'Audit log',
        icon: ScrollText,
        key: 'l',
        permission: 'audit:read',
        isOfAllAssets: true,
      },
      { to: '/settings', title: 'Settings', icon: Settings, key: 'e', permission: null },
    ],
  },
]

export const navigationItems: readonly NavigationItem[] = navigationGroups.flatMap((group) => group.items)

/** The screen of a path within the organisation, or the one that it belongs to: `/scans/<id>` to `/scans`. */
export const itemAt = (path: string): NavigationItem | undefined =>
  navigationItems.find(({ to }) => to !== '/' && (path === to || path.startsWith(`${to}/`)))

export const isOffered = (
  { permission, isOfAllAssets = false }: NavigationItem,
  { permissions, limitedTo }: Pick<Session, 'permissions' | 'limitedTo'>,
): boolean =>
  (permission === null || permissions.includes(permission)) && !(isOfAllAssets && limitedTo !== null)
