import { Button } from '@mantine/core'
import { ComplianceEvidenceProofDocument, type ComplianceControlData } from '#api/generated/checks.ts'
import { send } from '#api/client.ts'
import { messageOf } from '#api/errors.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.ts'
import { saveFile } from '#lib/save-file.ts'

type Evidence = ComplianceControlData['complianceEvidence'][number]

/** What was recorded of a control, as files that `rollcall verify` checks without a server. */
export const EvidencePanel = ({ evidence }: { readonly evidence: readonly Evidence[] }) => (
  <Panel isFlush title="Evidence">
    <DataTable
      label="Evidence"
      columns={columns}
      rows={evidence}
      keyOf={({ id }) => id}
      empty={<p className="quiet">None yet: it is recorded after each change of the status.</p>}
    />
  </Panel>
)

const columns: readonly Column<Evidence>[] = [
  { title: 'Recorded', cell: ({ recordedAt }) => <Time at={recordedAt} /> },
  { title: 'Holds since', isMinor: true, cell: ({ effectiveOn }) => <Time at={effectiveOn} /> },
  {
    title: 'SHA-256',
    isMinor: true,
    cell: ({ digest }) => <code title={digest}>{digest.slice(0, 16)}…</code>,
  },
  {
    title: '',
    align: 'right',
    cell: ({ id, recordedAt }) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Download evidence of ${recordedAt}`}
        onClick={() => void download(id)}
      >
        Download
      </Button>
    ),
  },
]

async function download(id: string): Promise<void> {
  try {
    const { complianceEvidenceProof } = await send(ComplianceEvidenceProofDocument, { id })
    saveFile(
      `evidence-${id}.json`,
      new Blob([JSON.stringify(complianceEvidenceProof)], { type: 'application/json' }),
    )
  } catch (error) {
    toastFailed(messageOf(error))
  }
}
