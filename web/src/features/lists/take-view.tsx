import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SavedViewsDocument } from '#api/generated/conditions.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { readAssetSearch } from '#features/assets/list/asset-search-params.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import { listedWhere, readFindingSearch } from '#features/vulnerabilities/findings/finding-search-params.ts'

interface TakeViewProps {
  readonly subject: 'asset' | 'finding'
  readonly onTake: (where: string) => void
}

const READS = { asset: 'assets:read', finding: 'vulnerabilities:read' } as const

/** Fills a field with the condition of a saved view, as it is now. Nothing where no view has a condition. */
export function TakeView({ subject, onTake }: TakeViewProps) {
  const may = usePermission()
  const { data } = useQuery({ ...q(SavedViewsDocument, { subject }), enabled: may(READS[subject]) })
  const views = (data?.savedViews ?? []).flatMap(({ id, name, view }) => {
    const where = whereOf(subject, view as Record<string, unknown>)
    return where === '' ? [] : [{ value: id, label: name, where }]
  })
  if (views.length === 0) return null
  return (
    <Select
      mt="xs"
      label={
        subject === 'asset'
          ? 'Take the condition of a saved view of assets'
          : 'Take the condition of a saved view of findings'
      }
      placeholder="Choose a view"
      data={views.map(({ value, label }) => ({ value, label }))}
      value={null}
      searchable
      onChange={(chosen) => {
        const view = views.find(({ value }) => value === chosen)
        if (view) onTake(view.where)
      }}
    />
  )
}

function whereOf(subject: TakeViewProps['subject'], view: Record<string, unknown>): string {
  if (subject === 'finding') {
    const search = readFindingSearch(view)
    return search.where === undefined && search.search === undefined ? '' : listedWhere(search)
  }
  const { where = '', search: text = '', source } = readAssetSearch(view)
  // one source was a filter of its own, which no condition says
  return source === undefined ? conditionOf({ where, text }) : ''
}
