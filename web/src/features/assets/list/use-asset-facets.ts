import { usePermission } from '#api/use-permission.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'

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

/** What the list of assets is counted by, and can be grouped by. */
export function useAssetFacets(): readonly FacetField[] {
  const may = usePermission()
  return FIELDS.filter(({ permission }) => permission === undefined || may(permission))
}
