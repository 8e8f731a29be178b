import { useNavigate } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { FacetsPanel, type FacetField, type useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import type { AssetSearch } from './asset-search-params.ts'

const FIELDS: readonly (FacetField & { readonly permission?: string })[] = [
  { field: 'type', label: 'Type', isWord: true },
  { field: 'os_family', label: 'System', isWord: true },
  { field: 'os', label: 'Operating system' },
  { field: 'site', label: 'Site' },
  { field: 'owner', label: 'Owner' },
  { field: 'criticality', label: 'Criticality', isWord: true, permission: 'vulnerabilities:read' },
  { field: 'exposure', label: 'Exposure', isWord: true, permission: 'vulnerabilities:read' },
  { field: 'tag', label: 'Tag' },
  { field: 'source', label: 'Source' },
  { field: 'state', label: 'State', isWord: true },
]

interface AssetFacetsProps {
  readonly search: AssetSearch
  readonly panel: ReturnType<typeof useFacetsPanel>
}

/** What the list of assets is counted by beside it. */
export function AssetFacets({ search, panel }: AssetFacetsProps) {
  const navigate = useNavigate()
  const may = usePermission()
  return (
    <FacetsPanel
      subject="asset"
      panel={panel}
      fields={FIELDS.filter(({ permission }) => permission === undefined || may(permission))}
      where={search.where ?? ''}
      text={search.search ?? ''}
      onWhere={(where) => void navigate({ to: '/assets', search: { ...search, where: where || undefined } })}
    />
  )
}
