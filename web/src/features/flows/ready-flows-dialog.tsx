import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CreateReadyFlowDocument, ReadyFlowsDocument } from '#api/generated/flows.ts'
import { q, useChange } from '#api/query-client.ts'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { triggerSentence, type Definition } from './flow-sentence.ts'
import styles from './ready-flows-dialog.module.css'

/** Ready flows: each becomes a draft, which says what it would have done. */
export function ReadyFlowsDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(q(ReadyFlowsDocument, {}))
  const create = useChange(CreateReadyFlowDocument, {
    done: 'Flow created as a draft',
    onDone: ({ createReadyFlow: { flow } }) =>
      void navigate({ to: '/flows/$flowId', params: { flowId: flow.id } }),
  })
  return (
    <Modal opened onClose={onClose} title="Ready flows" size="lg">
      <p className="quiet">
        Each becomes a draft: change it, see what it would have done in the last 30 days, then publish it.
      </p>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data && <SkeletonBlock />}
      <ul className={styles['list']}>
        {data?.readyFlows.map(({ id, name, description, definition }) => (
          <li key={id} className={styles['item']}>
            <div className={styles['text']}>
              <strong>{name}</strong>
              <span>{description}</span>
              <span className="quiet">{triggerSentence((definition as Definition).trigger)}</span>
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={`Create draft: ${name}`}
              loading={create.isPending && create.variables.id === id}
              disabled={create.isPending}
              onClick={() => create.mutate({ id })}
            >
              Create draft
            </Button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
