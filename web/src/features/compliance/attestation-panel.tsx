import { Button, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import {
  AttestControlDocument,
  WithdrawAttestationDocument,
  type ComplianceControlData,
} from '#api/generated/checks.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { AttachmentList } from '#features/records/attachments/attachment-list.tsx'
import { FileButtons } from '#features/records/attachments/file-buttons.tsx'
import { useAttachFiles } from '#features/records/attachments/use-attach-files.ts'
import { dayIn, endOfDay } from '#lib/dates.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { Day } from '#ui/time.tsx'
import styles from './control-page.module.css'
import { dayError } from './exceptions/exception.ts'

interface AttestationPanelProps {
  readonly framework: string
  readonly controlId: string
  readonly attestation: ComplianceControlData['complianceControl']['attestation']
}

const DEFAULT_DAYS = 180
const DAYS_MAX = 364

/** What a person states of a control, and what such a statement can do. */
export function AttestationPanel({ framework, controlId, attestation }: AttestationPanelProps) {
  const may = usePermission()
  const [isOpen, setOpen] = useState(false)
  const withdraw = useChange(WithdrawAttestationDocument, { done: 'Withdrawn' })
  return (
    <Panel title="Attestation">
      {attestation ? (
        <p>
          {attestation.attestedBy} attests, until <Day at={attestation.validUntil} />: {attestation.statement}
        </p>
      ) : (
        <p>Nobody attests this control.</p>
      )}
      <p className="quiet">
        An attestation is the word of a person that the control is met. It stands in where no check judges; it
        never lifts what a check finds to fail.
      </p>
      {may('compliance:write') && (
        <p>
          <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
            {attestation ? 'Attest anew…' : 'Attest…'}
          </Button>{' '}
          {attestation && (
            <Button
              variant="default"
              size="compact-sm"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate({ framework, controlId })}
            >
              Withdraw
            </Button>
          )}
        </p>
      )}
      {attestation && <ProofFiles control={`${framework} ${controlId}`} />}
      {isOpen && <AttestForm framework={framework} controlId={controlId} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

/** What the attestation rests on: minutes, screenshots, signed papers. */
function ProofFiles({ control }: { readonly control: string }) {
  const mayWrite = usePermission()('compliance:write')
  const { attach, share } = useAttachFiles({ control })
  return (
    <>
      <h3 className={styles['heading']}>Files as proof</h3>
      <AttachmentList
        of={{ control }}
        hint="Drop minutes, signed papers or screenshots here; evidence names each by its digest."
        mayWrite={mayWrite}
        share={share}
        onFiles={attach}
      />
      {mayWrite && <FileButtons isBusy={share !== undefined} onFiles={attach} />}
    </>
  )
}

interface AttestFormProps {
  readonly framework: string
  readonly controlId: string
  readonly onClose: () => void
}

function AttestForm({ framework, controlId, onClose }: AttestFormProps) {
  const form = useForm({
    initialValues: { statement: '', validUntil: dayIn(DEFAULT_DAYS) },
    validate: {
      statement: (statement) => (statement.trim() === '' ? 'Say how it is met' : null),
      validUntil: (day) => dayError(day) ?? null,
    },
  })
  const attest = useChange(AttestControlDocument, { isQuiet: true, done: 'Attested' })
  return (
    <FormDialog
      isOpen
      title={`Attest ${controlId}`}
      action="I attest it"
      form={form}
      onSubmit={({ statement, validUntil }) =>
        attest.mutateAsync({
          framework,
          controlId,
          statement,
          validUntil: endOfDay(validUntil)?.toISOString() ?? '',
        })
      }
      onClose={onClose}
    >
      <p className="quiet">Your name and the date are recorded, and shown to auditors.</p>
      <Textarea
        label="How the control is met"
        autosize
        minRows={3}
        required
        data-autofocus
        {...form.getInputProps('statement')}
      />
      <TextInput
        type="date"
        label="Valid until"
        description="Within a year; in its last 30 days the control is a warning."
        min={dayIn(0)}
        max={dayIn(DAYS_MAX)}
        {...form.getInputProps('validUntil')}
      />
    </FormDialog>
  )
}
