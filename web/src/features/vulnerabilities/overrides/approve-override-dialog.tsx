import { ApproveOverrideDocument, type OverrideRow } from '#api/generated/vulnerabilities.ts'
import { useChange } from '#api/query-client.ts'
import layout from '#ui/details.module.css'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Day } from '#ui/time.tsx'
import { AffectedFindingsPreview } from './affected-findings-preview.tsx'
import { kindName, scopeText } from './override.ts'
import { severityName } from '../severities.ts'

interface ApproveOverrideDialogProps {
  readonly override: OverrideRow
  readonly onClose: () => void
}

/** A proposed override with reason, expiry, and the findings that it would change. */
export function ApproveOverrideDialog({ override, onClose }: ApproveOverrideDialogProps) {
  const { id, cveId, kind, severity, reason, createdByName, expiresAt } = override
  const { findingId, package: name, version, tag } = override
  const approve = useChange(ApproveOverrideDocument, { done: 'Approved; it is in force', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Approve the override of ${cveId}`}
      action="Approve"
      isBusy={approve.isPending}
      onConfirm={() => approve.mutate({ id })}
      onClose={onClose}
    >
      <dl className={layout['facts']}>
        <dt>Override</dt>
        <dd>{severity === null ? kindName(kind) : `${kindName(kind)}: ${severityName(severity)}`}</dd>
        <dt>Applies to</dt>
        <dd>{scopeText(override)}</dd>
        <dt>Reason</dt>
        <dd>{reason}</dd>
        <dt>Proposed by</dt>
        <dd>{createdByName}</dd>
        <dt>Last day</dt>
        <dd>
          <Day at={expiresAt} none="none, until somebody ends it" />
        </dd>
      </dl>
      <AffectedFindingsPreview
        scope={{ cveId, findingId, package: name, version, tag }}
        isSeverity={kind === 'severity'}
      />
    </ConfirmDialog>
  )
}
