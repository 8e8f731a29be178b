import { useNavigate } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { FacetsPanel, type FacetField, type useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import type { FindingSearch } from './finding-search-params.ts'

const FIELDS: readonly FacetField[] = [
  { field: 'severity', label: 'Severity', isWord: true },
  { field: 'kev', label: 'In a KEV catalogue', isWord: true },
  { field: 'fixable', label: 'With a fix', isWord: true },
  { field: 'product', label: 'Software' },
  { field: 'cve', label: 'CVE' },
  { field: 'asset.os', label: 'Operating system' },
  { field: 'asset.site', label: 'Site' },
  { field: 'asset.owner', label: 'Owner' },
  { field: 'match', label: 'Match', isWord: true },
  { field: 'status', label: 'Status', isWord: true },
]

interface FindingFacetsProps {
  readonly search: FindingSearch
  readonly panel: ReturnType<typeof useFacetsPanel>
}

/** What the findings are counted by beside them. */
export function FindingFacets({ search, panel }: FindingFacetsProps) {
  const navigate = useNavigate()
  const mayAssets = usePermission()('assets:read')
  return (
    <FacetsPanel
      subject="finding"
      panel={panel}
      fields={FIELDS.filter(({ field }) => mayAssets || !field.startsWith('asset.'))}
      where={search.where ?? ''}
      text={search.text ?? ''}
      onWhere={(where) =>
        void navigate({ to: '/vulnerabilities', search: { ...search, where: where || undefined } })
      }
    />
  )
}
