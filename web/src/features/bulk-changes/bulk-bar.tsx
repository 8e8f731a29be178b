import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { Archive, ArchiveRestore, Ellipsis, Gauge, QrCode, Tag, Trash2, UserRound } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { messageOf } from '#api/errors.ts'
import { inTenant } from '#api/tenant-url.ts'
import { usePermission } from '#api/use-permission.ts'
import { SelectionBar } from '#ui/table/selection-bar.tsx'
import type { RowSelection } from '#ui/table/use-selection.ts'
import { toastFailed } from '#ui/toast.ts'
import type { BulkDialogKind } from './bulk-dialog.tsx'
import { LABELS_MAX } from './labels-path.ts'
import type { BulkOrder } from './use-bulk-change.ts'

/** Several forms, of which most visits need none. */
const BulkDialog = lazyScreen(() => import('./bulk-dialog.tsx'), 'BulkDialog')

interface BulkBarProps {
  readonly selection: RowSelection
  /** The list has archived assets. */
  readonly isArchive: boolean
  /** Labels of the selected assets as a PDF; absent when there are too many to print at once. */
  readonly labelsPath: string | undefined
  readonly onStart: (order: BulkOrder) => Promise<void>
  /** Further things to do with them. */
  readonly more?: ReactNode
  /** Absent: the person may start no flow. */
  readonly onRunFlow?: (() => void) | undefined
}

/** What can be done with the selected assets. What can be undone starts at once. */
export function BulkBar({ selection, isArchive, labelsPath, onStart, more, onRunFlow }: BulkBarProps) {
  const may = usePermission()
  const [dialog, setDialog] = useState<BulkDialogKind>()
  const start = (order: BulkOrder) =>
    void onStart(order).catch((error: unknown) => toastFailed(messageOf(error)))
  const isRisk = may('vulnerabilities:write')
  const mayWrite = may('assets:write')
  return (
    <SelectionBar selection={selection} noun="asset">
      {mayWrite && (
        <>
          <Action icon={Tag} title="Tag" onChoose={() => setDialog('add_tags')} />
          <Action icon={UserRound} title="Owner" onChoose={() => setDialog('owner')} />
        </>
      )}
      {isRisk && <Action icon={Gauge} title="Criticality" onChoose={() => setDialog('criticality')} />}
      {mayWrite && (
        <>
          {isArchive ? (
            <Action icon={ArchiveRestore} title="Restore" onChoose={() => start({ verb: 'revive' })} />
          ) : (
            <Action icon={Archive} title="Archive" onChoose={() => start({ verb: 'archive' })} />
          )}
          <Action icon={Trash2} title="Delete" onChoose={() => setDialog('delete')} />
        </>
      )}
      {more}
      <Labels path={labelsPath} />
      {(mayWrite || isRisk || onRunFlow) && (
        <More {...{ isRisk, mayWrite, onRunFlow }} onChoose={setDialog} />
      )}
      {dialog && (
        <Suspense fallback={null}>
          <BulkDialog
            kind={dialog}
            n={selection.size}
            onStart={onStart}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}

function Labels({ path }: { readonly path: string | undefined }) {
  const icon = <QrCode size={14} aria-hidden />
  return path === undefined ? (
    <Tooltip label={`Select at most ${LABELS_MAX} assets`}>
      <Button variant="default" leftSection={icon} data-disabled aria-disabled>
        Labels
      </Button>
    </Tooltip>
  ) : (
    <Button variant="default" component="a" href={inTenant(path)} leftSection={icon}>
      Labels
    </Button>
  )
}

interface ActionProps {
  readonly icon: typeof Tag
  readonly title: string
  readonly onChoose: () => void
}

const Action = ({ icon: Icon, title, onChoose }: ActionProps) => (
  <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={onChoose}>
    {title}
  </Button>
)

interface MoreProps {
  readonly isRisk: boolean
  readonly mayWrite: boolean
  readonly onRunFlow: BulkBarProps['onRunFlow']
  readonly onChoose: (kind: BulkDialogKind) => void
}

function More({ isRisk, mayWrite, onRunFlow, onChoose }: MoreProps) {
  return (
    <Menu position="top-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More actions on the selected assets">
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onRunFlow && <Menu.Item onClick={onRunFlow}>Run flow…</Menu.Item>}
        {isRisk && <Menu.Item onClick={() => onChoose('exposure')}>Exposure…</Menu.Item>}
        {mayWrite && <Menu.Item onClick={() => onChoose('remove_tags')}>Remove tags…</Menu.Item>}
        {mayWrite && <Menu.Item onClick={() => onChoose('field')}>Custom field…</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
