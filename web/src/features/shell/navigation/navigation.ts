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
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  ListTodo,
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
  Waypoints,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { NavigationItem, NavigationSection } from './navigation-item.ts'

/** At most 12, so that they are taken in at a glance. */
export const navigationSections: readonly NavigationSection[] = [
  {
    title: 'Overview',
    icon: LayoutDashboard,
    items: [{ to: '/', title: 'Overview', icon: LayoutDashboard, key: 'o', permission: 'assets:read' }],
  },
  {
    title: 'Changes',
    icon: History,
    items: [{ to: '/changes', title: 'Changes', icon: History, key: 'C', permission: 'assets:read' }],
  },
  {
    title: 'Assets',
    icon: Server,
    items: [
      { to: '/assets', title: 'Assets', icon: Server, key: 'a', permission: 'assets:read' },
      {
        to: '/duplicates',
        title: 'Possible duplicates',
        icon: CopyCheck,
        key: 'd',
        permission: 'assets:read',
      },
      { to: '/topology', title: 'Topology', icon: Waypoints, key: 'T', permission: 'assets:read' },
      { to: '/groups', title: 'Groups', icon: Group, key: 'G', permission: 'assets:read' },
      {
        to: '/archive',
        title: 'Archive',
        icon: Archive,
        key: 'R',
        permission: 'assets:read',
        isOfAllAssets: true,
      },
      {
        to: '/contracts',
        title: 'Contracts and licences',
        icon: FileSignature,
        key: 'q',
        permission: 'assets:read',
      },
    ],
  },
  {
    title: 'Vulnerabilities',
    icon: ShieldAlert,
    items: [
      {
        to: '/vulnerabilities',
        title: 'Vulnerabilities',
        icon: ShieldAlert,
        key: 'v',
        permission: 'vulnerabilities:read',
      },
      { to: '/overrides', title: 'Overrides', icon: Gavel, key: 'j', permission: 'overrides:read' },
      { to: '/feeds', title: 'Feeds', icon: Rss, key: 'f', permission: 'feeds:read' },
    ],
  },
  {
    title: 'Software',
    icon: Package,
    items: [
      {
        to: '/software',
        lists: ['/software/lists'],
        title: 'Software',
        icon: Package,
        key: 'p',
        permission: 'assets:read',
      },
      { to: '/end-of-life', title: 'End of life', icon: CalendarX2, key: 'n', permission: 'assets:read' },
    ],
  },
  {
    title: 'Compliance',
    icon: ClipboardCheck,
    items: [
      {
        to: '/compliance',
        lists: ['/compliance/exceptions'],
        title: 'Compliance',
        icon: ClipboardCheck,
        key: 'm',
        permission: 'compliance:read',
        isOfAllAssets: true,
      },
      {
        to: '/compliance/checks',
        title: 'Checks',
        icon: ListChecks,
        key: 'K',
        permission: 'compliance:read',
        isOfAllAssets: true,
      },
      {
        to: '/compliance/controls',
        title: 'Controls',
        icon: ListTodo,
        key: 'O',
        permission: 'compliance:read',
        isOfAllAssets: true,
      },
    ],
  },
  {
    title: 'Cloud',
    icon: Cloud,
    items: [
      { to: '/cloud', title: 'Cloud resources', icon: Cloud, key: 'r', permission: 'cloud:read' },
      {
        to: '/cloud-connections',
        title: 'Cloud connections',
        icon: CloudCog,
        key: 'z',
        permission: 'cloud:read',
      },
    ],
  },
  {
    title: 'Discovery',
    icon: ScanSearch,
    items: [
      {
        to: '/discoveries',
        lists: ['/discoveries/runs'],
        title: 'Discoveries',
        icon: ScanSearch,
        key: 'D',
        permission: 'scans:read',
        isOfAllAssets: true,
      },
      {
        to: '/scans',
        lists: ['/scans/all'],
        title: 'Scans',
        icon: Radar,
        key: 's',
        permission: 'scans:read',
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
    ],
  },
  {
    title: 'Agents',
    icon: Radio,
    items: [
      {
        to: '/agents',
        title: 'Agents',
        icon: Radio,
        key: 'A',
        permission: 'agents:read',
        isOfAllAssets: true,
      },
    ],
  },
  {
    title: 'Flows',
    icon: Workflow,
    items: [
      {
        to: '/flows',
        lists: ['/flows/runs'],
        title: 'Flows',
        icon: Workflow,
        key: 'y',
        permission: 'flows:read',
      },
      {
        to: '/approvals',
        title: 'Approvals',
        icon: CheckCheck,
        key: 'Y',
        permission: 'approvals:read',
        isOfAllAssets: true,
      },
    ],
  },
  {
    title: 'Reports',
    icon: FileChartColumn,
    items: [
      {
        to: '/reports',
        lists: ['/reports/budget'],
        title: 'Reports',
        icon: FileChartColumn,
        key: 't',
        permission: 'reports:read',
      },
      { to: '/simulation', title: 'Simulator', icon: FlaskConical, key: 'S', permission: 'reports:read' },
    ],
  },
  {
    title: 'Settings',
    icon: Settings,
    isApart: true,
    items: [
      { to: '/settings', title: 'Settings', icon: Settings, key: 'e', permission: null },
      { to: '/people', title: 'Users and roles', icon: Users, key: 'u', permission: 'users:read' },
      { to: '/api-keys', title: 'API keys', icon: KeyRound, key: 'k', permission: 'api_keys:read' },
      {
        to: '/webhooks',
        lists: ['/deliveries'],
        title: 'Webhooks',
        icon: Webhook,
        key: 'w',
        permission: 'webhooks:read',
        isOfAllAssets: true,
      },
      { to: '/partners', title: 'Partners', icon: Handshake, key: 'b', permission: 'partners:read' },
      { to: '/notices', title: 'Notices', icon: BellRing, key: 'x', permission: 'notices:read' },
      {
        to: '/audit',
        title: 'Audit log',
        icon: ScrollText,
        key: 'l',
        permission: 'audit:read',
        isOfAllAssets: true,
      },
    ],
  },
]

export const navigationItems: readonly NavigationItem[] = navigationSections.flatMap(({ items }) => items)

/** The screen of a path within the organisation, or the one that it belongs to: `/scans/<id>` to `/scans`. */
export const itemAt = (path: string): NavigationItem | undefined =>
  navigationItems.find((item) => isAt(item, path) || (item.to !== '/' && path.startsWith(`${item.to}/`)))

/** Whether it is the screen of the path, or of a list that belongs to the screen; of none of its single things. */
export const isAt = ({ to, lists = [] }: NavigationItem, path: string): boolean =>
  path === to || lists.includes(path)
