import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { StatementFormat } from '#api/generated/enums-and-inputs.ts'
import {
  ComplianceStatementProofDocument,
  ExportComplianceStatementDocument,
  ReturnComplianceStatementDocument,
  SubmitComplianceStatementDocument,
  type StatementSummary,
} from '#api/generated/statements.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import { useDownload } from '#api/use-download.ts'
import { usePermission } from '#api/use-permission.ts'
import { saveFile } from '#lib/save-file.ts'
import { EditRowsForm } from './edit-rows-form.tsx'
import { ApproveForm, PasteRowsForm } from './statement-forms.tsx'

interface StatementActionsProps {
  readonly statement: StatementSummary
  readonly selected: readonly string[]
  readonly onEdited: () => void
}

export function StatementActions({ statement, selected, onEdited }: StatementActionsProps) {
  const may = usePermission()
  return (
    <>
      {may('compliance:write') && statement.state === 'draft' && (
        <DraftActions id={statement.id} selected={selected} onEdited={onEdited} />
      )}
      {statement.state === 'in_review' && (
        <ReviewActions
          id={statement.id}
          mayReturn={may('compliance:write')}
          mayApprove={may('statements:approve')}
        />
      )}
      <DownloadMenu statement={statement} />
    </>
  )
}

function DraftActions({
  id,
  selected,
  onEdited,
}: Omit<StatementActionsProps, 'statement'> & { readonly id: string }) {
  const [open, setOpen] = useState<'edit' | 'paste'>()
  const submit = useChange(SubmitComplianceStatementDocument, { done: 'Submitted for review' })
  const close = () => setOpen(undefined)
  return (
    <>
      <Button
        variant="default"
        disabled={selected.length === 0}
        title={selected.length === 0 ? 'Select controls first' : undefined}
        onClick={() => setOpen('edit')}
      >
        Edit selected…
      </Button>
      <Button variant="default" onClick={() => setOpen('paste')}>
        Paste rows…
      </Button>
      <Button loading={submit.isPending} onClick={() => submit.mutate({ id })}>
        Submit for review
      </Button>
      {open === 'edit' && <EditRowsForm id={id} controlIds={selected} onClose={close} onEdited={onEdited} />}
      {open === 'paste' && <PasteRowsForm id={id} onClose={close} />}
    </>
  )
}

interface ReviewActionsProps {
  readonly id: string
  readonly mayReturn: boolean
  readonly mayApprove: boolean
}

function ReviewActions({ id, mayReturn, mayApprove }: ReviewActionsProps) {
  const [isApproving, setApproving] = useState(false)
  const back = useChange(ReturnComplianceStatementDocument, { done: 'Returned to its authors' })
  return (
    <>
      {mayReturn && (
        <Button variant="default" loading={back.isPending} onClick={() => back.mutate({ id })}>
          Return
        </Button>
      )}
      {mayApprove && <Button onClick={() => setApproving(true)}>Approve…</Button>}
      {isApproving && <ApproveForm id={id} onClose={() => setApproving(false)} />}
    </>
  )
}

const formats: readonly (readonly [StatementFormat, string])[] = [
  ['pdf', 'PDF'],
  ['excel', 'Excel'],
  ['csv', 'CSV'],
  ['xml', 'XML'],
  ['oscal', 'OSCAL (system security plan)'],
]

function DownloadMenu({ statement: { id, digest } }: Pick<StatementActionsProps, 'statement'>) {
  const file = useDownload(downloadFile)
  const proof = useDownload(downloadProof)
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={file.isPending || proof.isPending}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(([format, title]) => (
          <Menu.Item key={format} onClick={() => file.mutate({ id, format })}>
            {title}
          </Menu.Item>
        ))}
        {digest !== null && <Menu.Item onClick={() => proof.mutate(id)}>Proof for auditors</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

interface WantedFile {
  readonly id: string
  readonly format: StatementFormat
}

async function downloadFile(wanted: WantedFile): Promise<void> {
  const { exportComplianceStatement: file } = await send(ExportComplianceStatementDocument, wanted)
  const bytes = Uint8Array.from(atob(file.content), (it) => it.codePointAt(0) ?? 0)
  saveFile(file.fileName, new Blob([bytes]))
}

async function downloadProof(id: string): Promise<void> {
  const { complianceStatementProof } = await send(ComplianceStatementProofDocument, { id })
  saveFile(`statement-${id}.json`, new Blob([JSON.stringify(complianceStatementProof)]))
}
