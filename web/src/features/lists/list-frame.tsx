import type { ReactNode } from 'react'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import {
  FacetsButton,
  FacetsPanel,
  useFacetsPanel,
  type FacetField,
} from '#features/conditions/facets-panel.tsx'
import { UnreadableCondition } from '#features/conditions/unreadable-condition.tsx'
import { faultOf } from '#features/conditions/use-condition-count.ts'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { CsvLink, listFileUrl } from './csv-link.tsx'
import { GroupBy } from './group-by.tsx'
import { GroupList } from './group-list.tsx'
import styles from './list-frame.module.css'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { NothingFits } from './nothing-fits.tsx'
import { isNarrowed, type ListSearch } from './list-search.ts'
import { SavedViews, type FixedView } from './saved-views.tsx'
import { TableOptions } from './table-options.tsx'
import { useListSearch } from './use-list-search.ts'

export interface ListFrameProps<Row> extends ListTableProps<Row> {
  readonly title: string
  readonly description?: string
  readonly actions?: ReactNode
  /** What the box for the condition says. */
  readonly box: { readonly label: string; readonly placeholder: string; readonly hint: string }
  /** While nothing is known of it yet: `Loading software`. */
  readonly loading: string
  /** What the list is counted by beside it, and can be grouped by. */
  readonly facets: readonly FacetField[]
  /** Groups of its own, in place of those by facets. */
  readonly grouping?: ListGrouping
  readonly views: readonly FixedView[]
  readonly read: (raw: Record<string, unknown>) => ListSearch
  /** In place of a list without a row that nothing narrows: what to do next. */
  readonly nothingYet: ReactNode
  /** Where nothing fits, unless a button to clear the filters is enough. */
  readonly nothingFits?: ReactNode
  /** Above the views, which come once it is loaded. */
  readonly lead?: ReactNode
  /** Beside the box. */
  readonly filters?: ReactNode
  /** What can be done with the selected rows. */
  readonly bars?: ReactNode
  /** The row that is shown beside the list. */
  readonly previewPanel?: ReactNode
  readonly onChooseColumns?: () => void
  /** The server's file of the same rows, such as `findings.csv`. */
  readonly file?: string
}

export interface ListGrouping {
  readonly fields: readonly FacetField[]
  /** Undefined: the rows are shown. */
  readonly current: string | undefined
  /** What the address says where rows are wanted. */
  readonly ungrouped: string
  readonly list: ReactNode
}

/** A list that can be asked anything: views, condition, facets, groups, columns, rows. The address says what is shown. */
export function ListFrame<Row extends { readonly id: string }>(props: ListFrameProps<Row>) {
  const { title, description, actions, rows, lead, file, search } = props
  return (
    <Page
      title={title}
      isFilling
      aside={rows.total !== undefined && <Badge>{count(rows.total)}</Badge>}
      actions={
        <>
          {file !== undefined && (
            <CsvLink
              href={listFileUrl(file, search)}
              title="All that the list has, in its order, at most 10,000 rows"
            />
          )}
          {actions}
        </>
      }
      description={description}
    >
      {lead}
      {lead === undefined ? (
        <Content {...props} />
      ) : (
        <AfterLoading>
          <Content {...props} />
        </AfterLoading>
      )}
      {props.previewPanel}
    </Page>
  )
}

function Content<Row extends { readonly id: string }>(props: ListFrameProps<Row>) {
  const { subject, views, read, search, layout, facets, lead } = props
  const panel = useFacetsPanel(subject)
  const change = useListSearch()
  const onWhere = (where: string) => change({ where: where || undefined })
  const narrowing = { where: search.where ?? '', text: search.search ?? '' }
  return (
    <>
      <SavedViews {...{ subject, search, read }} fixed={views} columns={layout.text} />
      <Tools {...props} panel={panel} />
      <div className={styles['body']} data-below={lead !== undefined || undefined}>
        <FacetsPanel {...{ subject, panel, onWhere }} fields={facets} {...narrowing} />
        <div className={styles['list']}>
          <GroupsOrRows {...props} />
        </div>
      </div>
    </>
  )
}

function GroupsOrRows<Row extends { readonly id: string }>(props: ListFrameProps<Row>) {
  const { subject, search, facets, grouping } = props
  const group = facets.find(({ field }) => field === search.group)
  if (grouping && grouping.current !== undefined)
    return <div className={styles['groups']}>{grouping.list}</div>
  if (!grouping && group) return <GroupList {...{ subject, search, group }} />
  return (
    <>
      <Listed {...props} />
      {props.bars}
    </>
  )
}

type ToolsProps<Row> = ListFrameProps<Row> & { readonly panel: ReturnType<typeof useFacetsPanel> }

function Tools<Row>({ subject, box, search, filters, layout, panel, ...more }: ToolsProps<Row>) {
  const change = useListSearch()
  const { fields, current, ungrouped } = more.grouping ?? {
    fields: more.facets,
    current: search.group,
    ungrouped: undefined,
  }
  return (
    <div className={styles['tools']}>
      <ConditionBox
        subject={subject}
        {...box}
        where={search.where ?? ''}
        text={search.search ?? ''}
        onChange={({ where, text }, isTyping) =>
          change({ where: where || undefined, search: text || undefined }, { isReplacing: isTyping })
        }
      />
      {filters}
      <div className={styles['options']}>
        <FacetsButton panel={panel} />
        <GroupBy fields={fields} group={current} ungrouped={ungrouped} />
        <TableOptions layout={layout} onChoose={more.onChooseColumns} />
      </div>
    </div>
  )
}

function Listed<Row extends { readonly id: string }>(props: ListFrameProps<Row>) {
  const { search, rows, loading, nothingYet, nothingFits = <NothingFits /> } = props
  if (faultOf(rows.error)) return <UnreadableCondition error={rows.error} />
  if (rows.error) return <LoadError error={rows.error} onRetry={rows.retry} />
  if (rows.total === undefined) return <SkeletonBlock label={loading} />
  if (rows.total === 0) return isNarrowed(search) ? nothingFits : nothingYet
  return <ListTable {...props} total={rows.total} />
}
