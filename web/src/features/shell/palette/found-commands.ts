import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Package, Search, ShieldAlert, UserRound } from 'lucide-react'
import {
  FindAssetsDocument,
  FindPeopleDocument,
  FindSoftwareDocument,
} from '#api/generated/command-palette.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { iconOf, typeName } from '#features/assets/asset-types.ts'
import { many } from '#lib/numbers.ts'
import { cveIn, fits } from './actions.ts'
import type { Command } from './command.ts'

const TYPING_MS = 120
const PEOPLE_SHOWN = 4
/** What is asked anew with each text. */
const ASKED: ReadonlySet<string> = new Set([FindAssetsDocument.name, FindSoftwareDocument.name])

interface Found {
  readonly found: readonly Command[]
  readonly isSearching: boolean
}

/** What the inventory has of the text: a CVE, assets, software, people; none for an empty one. */
export function useFoundCommands(text: string): Found {
  const [search] = useDebouncedValue(text, TYPING_MS)
  const found = [useCves(text), useAssets(search), useSoftware(search), usePeople(text)].flat()
  const isAsking = useIsFetching({ predicate: ({ queryKey }) => ASKED.has(String(queryKey[0])) }) > 0
  if (text === '') return { found: [], isSearching: false }
  return { found, isSearching: search !== text || isAsking }
}

function useCves(text: string): readonly Command[] {
  const navigate = useNavigate()
  const may = usePermission()
  const cveId = cveIn(text)
  if (!cveId || !may('vulnerabilities:read')) return []
  return [
    {
      id: 'cve',
      icon: ShieldAlert,
      title: cveId,
      aside: 'Vulnerability',
      run: () => void navigate({ to: '/vulnerabilities/$cveId', params: { cveId } }),
    },
  ]
}

function useAssets(search: string): readonly Command[] {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...q(FindAssetsDocument, { search }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  if (!data) return []
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

function useSoftware(search: string): readonly Command[] {
  const navigate = useNavigate()
  const may = usePermission()
  const { data } = useQuery({
    ...q(FindSoftwareDocument, { search }),
    enabled: search !== '' && may('assets:read'),
    placeholderData: keepPreviousData,
  })
  return (data?.software.items ?? []).map(({ id, name, version, assets }) => ({
    id,
    icon: Package,
    title: `${name} ${version}`.trim(),
    aside: `Software, ${many(assets, 'asset')}`,
    run: () => void navigate({ to: '/software', search: { search: name } }),
  }))
}

function usePeople(text: string): readonly Command[] {
  const navigate = useNavigate()
  const may = usePermission()
  const { data } = useQuery({ ...q(FindPeopleDocument, {}), enabled: text !== '' && may('users:read') })
  return (data?.users ?? [])
    .filter(({ name, email }) => fits(text, name, email))
    .slice(0, PEOPLE_SHOWN)
    .map(({ id, name, email }) => ({
      id,
      icon: UserRound,
      title: name || email,
      aside: name === '' ? 'Member' : email,
      run: () => void navigate({ to: '/people' }),
    }))
}
