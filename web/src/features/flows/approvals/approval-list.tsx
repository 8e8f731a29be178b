import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FlowApprovalRow } from '#api/generated/approvals.ts'
import { usePermission } from '#api/use-permission.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import { causeText } from '../flow-sentence.ts'
import styles from './approvals.module.css'
import { DecideApprovalsDialog, type Answer } from './decide-approvals-dialog.tsx'

interface ApprovalListProps {
  readonly label: string
  readonly approvals: readonly FlowApprovalRow[]
}

/** Requests of runs: what is asked, about which asset, by whom, until when; and how they were answered. */
export function ApprovalList({ label, approvals }: ApprovalListProps) {
  const [chosen, setChosen] = useState<{ approval: FlowApprovalRow; answer: Answer }>()
  return (
    <>
      <ul className={styles['list']} aria-label={label}>
        {approvals.map((approval) => (
          <li key={approval.id} className={styles['item']}>
            <Request approval={approval} />
            <Answering approval={approval} onAnswer={(answer) => setChosen({ approval, answer })} />
          </li>
        ))}
      </ul>
      {chosen && (
        <DecideApprovalsDialog
          approvals={[chosen.approval]}
          answer={chosen.answer}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

function Request({ approval }: { readonly approval: FlowApprovalRow }) {
  const { question, flowId, flowName, runId, assetId, assetName, createdAt, expiresAt, state } = approval
  return (
    <div className={styles['text']}>
      <strong>{question}</strong>
      <span className={styles['details']}>
        {assetId !== null && (
          <>
            About{' '}
            <Link to="/assets/$assetId" params={{ assetId }}>
              {assetName || 'an asset that is gone'}
            </Link>
            .{' '}
          </>
        )}
        Asked by{' '}
        <Link to="/flows/$flowId/runs/$runId" params={{ flowId, runId }}>
          {flowName}
        </Link>
        , {causeText(approval)} · <Time at={createdAt} />
        {state === 'open' && (
          <>
            {' '}
            · ends <Time at={expiresAt} />
          </>
        )}
      </span>
      {state !== 'open' && <Outcome approval={approval} />}
    </div>
  )
}

function Outcome({ approval: { decidedByName, decidedAt, note } }: { readonly approval: FlowApprovalRow }) {
  if (decidedByName === null && note === '') return null
  return (
    <span className={styles['details']}>
      {decidedByName !== null && decidedAt !== null && (
        <>
          {decidedByName}, <Time at={decidedAt} />
          {note === '' ? '.' : ': '}
        </>
      )}
      {note}
    </span>
  )
}

const STATES = {
  approved: { tone: 'good', sign: '✓' },
  refused: { tone: 'bad', sign: '×' },
  expired: { tone: 'warn', sign: '!' },
  cancelled: { tone: 'none', sign: '○' },
} as const

interface AnsweringProps {
  readonly approval: FlowApprovalRow
  readonly onAnswer: (answer: Answer) => void
}

function Answering({ approval: { state, question }, onAnswer }: AnsweringProps) {
  const may = usePermission()
  if (state !== 'open') return <Badge {...STATES[state]}>{sentenceCase(state)}</Badge>
  if (!may('approvals:write'))
    return (
      <Badge tone="info" sign="…">
        Waits
      </Badge>
    )
  return (
    <span className={styles['buttons']}>
      <Button size="xs" aria-label={`Approve: ${question}`} onClick={() => onAnswer('approve')}>
        Approve…
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Refuse: ${question}`}
        onClick={() => onAnswer('refuse')}
      >
        Refuse…
      </Button>
    </span>
  )
}
