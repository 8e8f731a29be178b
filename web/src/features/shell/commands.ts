import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { LogOut, Search, SunMoon, type LucideIcon } from 'lucide-react'
import { FindAssetsDocument } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { signOut } from '#api/session.ts'
import { iconOf, typeName } from '#features/assets/asset-types.ts'
import { many } from '#lib/numbers.ts'
import { leave } from './account-menu.tsx'
import { isOffered, navigationItems } from './navigation.ts'

export interface Command {
  readonly id: string
  readonly icon: LucideIcon
  readonly title: string
  readonly aside: string
  readonly run: () => void
}

const TYPING_MS = 120

/** Assets that match the text, then screens and actions whose name contains it. */
export function useCommands(text: string): readonly Command[] {
  const wanted = text.trim().toLowerCase()
  const found = useFoundAssets(text.trim())
  const fixed = useFixedCommands().filter(({ title }) => title.toLowerCase().includes(wanted))
  return wanted === '' ? fixed : [...found, ...fixed]
}

function useFoundAssets(text: string): readonly Command[] {
  const navigate = useNavigate()
  const [search] = useDebouncedValue(text, TYPING_MS)
  const { data } = useQuery({
    ...q(FindAssetsDocument, { search }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  if (!data || search === '') return []
  const { items, total } = data.assets
  const assets = items.map(({ id, name, assetType, ipAddress }) => ({
    id,
    icon: iconOf(assetType),
    title: name,
    aside: ipAddress || typeName(assetType),
    run: () => void navigate({ to: '/assets/$assetId', params: { assetId: id } }),
  }))
  if (total <= items.length) return assets
  const all = {
    id: 'all-found',
    icon: Search,
    title: `All assets with “${search}”`,
    aside: many(total, 'asset'),
    run: () => void navigate({ to: '/assets', search: { search } }),
  }
  return [...assets, all]
}

function useFixedCommands(): readonly Command[] {
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const { session } = useRouteContext({ from: '/app' })
  const going = navigationItems
    .filter((item) => isOffered(item, session))
    .map(({ to, title, icon, key }) => ({
      id: `go-${key}`,
      icon,
      title: `Go to ${title.toLowerCase()}`,
      aside: `g ${key}`,
      run: () => void navigate({ to }),
    }))
  return [
    ...going,
    {
      id: 'theme',
      icon: SunMoon,
      title: 'Switch between light and dark',
      aside: '',
      run: toggleColorScheme,
    },
    { id: 'sign-out', icon: LogOut, title: 'Sign out', aside: '', run: () => void leave(signOut) },
  ]
}
