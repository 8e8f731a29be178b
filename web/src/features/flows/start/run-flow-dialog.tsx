import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FlowsByHandDocument, type FlowsByHandData } from '#api/generated/start.ts'
import { q } from '#api/query-client.ts'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { StartFlowDialog, type ChosenAssets } from './start-flow-dialog.tsx'
import styles from './start-flow.module.css'

type Flow = FlowsByHandData['flows']['items'][number]

const ASSETS_MAX = 1_000

interface RunFlowDialogProps {
  readonly chosen: ChosenAssets
  readonly onClose: () => void
}

/** Runs a flow that is started by hand for assets that were chosen elsewhere: first which flow, then its values. */
export function RunFlowDialog({ chosen, onClose }: RunFlowDialogProps) {
  const [flow, setFlow] = useState<Flow>()
  return flow ? (
    <StartFlowDialog flow={flow} chosen={chosen} onClose={onClose} />
  ) : (
    <ChooseFlow isTooMany={chosen.n > ASSETS_MAX} onChoose={setFlow} onClose={onClose} />
  )
}

interface ChooseFlowProps {
  readonly isTooMany: boolean
  readonly onChoose: (flow: Flow) => void
  readonly onClose: () => void
}

function ChooseFlow({ isTooMany, onChoose, onClose }: ChooseFlowProps) {
  const { data } = useQuery(q(FlowsByHandDocument, {}))
  const flows = data?.flows.items.filter(
    ({ triggerKind, publishedVersion }) => triggerKind === 'manual' && publishedVersion !== null,
  )
  return (
    <Modal opened onClose={onClose} title="Run which flow?">
      {isTooMany && <p>A flow runs for at most 1,000 assets at once: select fewer.</p>}
      {!flows && <SkeletonBlock />}
      {flows?.length === 0 && (
        <p>
          No flow is started by hand yet. <Link to="/flows">Create one</Link>: the ready flow “Retire chosen
          assets” is a beginning.
        </p>
      )}
      <div className={styles['group']}>
        {flows?.map((flow) => (
          <Button
            key={flow.id}
            variant="default"
            fullWidth
            disabled={isTooMany}
            onClick={() => onChoose(flow)}
          >
            {flow.name}
          </Button>
        ))}
      </div>
    </Modal>
  )
}
