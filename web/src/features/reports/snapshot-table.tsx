import { Button, Switch } from '@mantine/core'
import { send } from '#api/client.ts'
import {
  PinReportSnapshotDocument,
  ReportSnapshotProofDocument,
  type ReportSnapshotRow,
} from '#api/generated/reports.ts'
import { useChange } from '#api/query-client.ts'
import { useDownload } from '#api/use-download.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { saveFile } from '#lib/save-file.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { bytesText, fileUrl } from './report.ts'
import { ReportStatusBadge } from './report-status.tsx'

interface SnapshotTableProps {
  readonly reportId: string
  readonly rows: readonly ReportSnapshotRow[] | undefined
}

const DIGEST_SHOWN = 12

/** What proves a file to somebody else. */
const proofColumns: readonly Column<ReportSnapshotRow>[] = [
  {
    title: 'SHA-256',
    isMinor: true,
    cell: ({ fileDigest }) =>
      fileDigest !== null && <code title={fileDigest}>{fileDigest.slice(0, DIGEST_SHOWN)}…</code>,
  },
  {
    title: 'Proof',
    cell: ({ id, status, fileName }) => status === 'available' && <ProofButton id={id} fileName={fileName} />,
  },
]

/** The generations of a report, newest first. */
export function SnapshotTable({ reportId, rows }: SnapshotTableProps) {
  const columns: readonly Column<ReportSnapshotRow>[] = [
    { title: 'Ordered', cell: ({ requestedAt }) => <Time at={requestedAt} /> },
    {
      title: 'State',
      cell: ({ status, message }) => (
        <TwoLines below={message === '' ? undefined : message}>
          <ReportStatusBadge status={status} />
        </TwoLines>
      ),
    },
    {
      title: 'Rows',
      align: 'right',
      cell: ({ rowCount }) => (rowCount === null ? '' : count(rowCount)),
    },
    {
      title: 'Pinned',
      cell: ({ id, status, isPinned }) => status === 'available' && <PinSwitch id={id} isPinned={isPinned} />,
    },
    { title: 'Shows', isMinor: true, cell: ({ takenAt }) => <Time at={takenAt} /> },
    {
      title: 'File',
      cell: ({ id, fileName, fileBytes }) =>
        fileName !== null &&
        fileBytes !== null && (
          <a href={fileUrl(reportId, id)} aria-label={`Download ${fileName}`}>
            {bytesText(fileBytes)}
          </a>
        ),
    },
    ...proofColumns,
  ]
  return <DataTable label="Generations" columns={columns} rows={rows} keyOf={({ id }) => id} empty={null} />
}

function ProofButton({ id, fileName }: Pick<ReportSnapshotRow, 'id' | 'fileName'>) {
  const proof = useDownload(downloadProof)
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`Download the proof of ${fileName ?? 'the file'}`}
      title="For somebody without access: rollcall verify compares the file with the signed audit log"
      loading={proof.isPending}
      onClick={() => proof.mutate(id)}
    >
      Proof
    </Button>
  )
}

async function downloadProof(id: string): Promise<void> {
  const { reportSnapshotProof } = await send(ReportSnapshotProofDocument, { id })
  const content = new Blob([JSON.stringify(reportSnapshotProof)], { type: 'application/json' })
  saveFile(`proof-${id}.json`, content)
}

/** Pinned ones are not removed with age. */
function PinSwitch({ id, isPinned }: Pick<ReportSnapshotRow, 'id' | 'isPinned'>) {
  const may = usePermission()
  const pin = useChange(PinReportSnapshotDocument, {
    done: isPinned ? 'Removed with age again' : 'Pinned: it is not removed with age',
  })
  return (
    <Switch
      size="xs"
      aria-label="Pinned: it is not removed with age"
      checked={isPinned}
      disabled={!may('reports:write') || pin.isPending}
      onChange={() => pin.mutate({ id, isPinned: !isPinned })}
    />
  )
}
