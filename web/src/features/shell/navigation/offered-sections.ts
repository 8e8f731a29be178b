import type { Session } from '#api/session.ts'
import type { NavigationItem, NavigationSection } from './navigation-item.ts'
import { navigationSections } from './navigation.ts'

/** The sections with the screens that the role opens. */
export const sectionsFor = (session: Pick<Session, 'permissions' | 'limitedTo'>): NavigationSection[] =>
  navigationSections.flatMap((section) => {
    const items = section.items.filter((item) => isOffered(item, session))
    return items.length === 0 ? [] : [{ ...section, items }]
  })

export const isOffered = (
  { permission, isOfAllAssets = false }: NavigationItem,
  { permissions, limitedTo }: Pick<Session, 'permissions' | 'limitedTo'>,
): boolean =>
  (permission === null || permissions.includes(permission)) && !(isOfAllAssets && limitedTo !== null)
