import type { LucideIcon } from 'lucide-react'

/** A screen in the navigation, the command palette and the shortcuts. */
export interface NavigationItem {
  readonly to:
    | '/'
    | '/changes'
    | '/assets'
    | '/duplicates'
    | '/topology'
    | '/groups'
    | '/archive'
    | '/vulnerabilities'
    | '/overrides'
    | '/compliance'
    | '/compliance/checks'
    | '/compliance/controls'
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
  /** Lists of the same screen with addresses of their own. */
  readonly lists?: readonly string[]
  readonly title: string
  readonly icon: LucideIcon
  /** Second key of the shortcut, after `g`. */
  readonly key: string
  /** Permission required to see the item; null: none. */
  readonly permission: string | null
  /** It is about all assets of the organisation, so it is not for roles that are limited to some by a condition. */
  readonly isOfAllAssets?: boolean
}

/** An entry of the navigation: a screen, or several that belong together and are chosen by tabs. */
export interface NavigationSection {
  readonly title: string
  readonly icon: LucideIcon
  /** Account, organisation and integrations. */
  readonly isApart?: boolean
  readonly items: readonly NavigationItem[]
}
