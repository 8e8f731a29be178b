import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlowRow } from '#api/generated/flows.ts'
import { FlowHookDocument, RotateFlowHookDocument } from '#api/generated/hooks.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import type { Definition } from '../flow-sentence.ts'
import styles from './hooks.module.css'
import { NewAddressDialog } from './new-address-dialog.tsx'

interface HookPanelProps {
  readonly flow: FlowRow
  /** Of the newest version. */
  readonly trigger: Definition['trigger']
}

/** The address that starts a flow from outside: made, replaced, and shown once. */
export function HookPanel({ flow, trigger: { signature = 'none', fields = {} } }: HookPanelProps) {
  const may = usePermission()
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(q(FlowHookDocument, { flowId: flow.id }))
  const rotate = useChange(RotateFlowHookDocument, { onDone: () => setAsking(false) })
  const make = () => rotate.mutate({ flowId: flow.id })
  const hook = data?.flowHook
  const issued = rotate.data?.rotateFlowHook
  return (
    <Panel title="Address">
      <div className={styles['panel']}>
        <p>{data === undefined ? '…' : hook ? <Made {...hook} signature={signature} /> : NONE}</p>
        {may('flows:write') && data !== undefined && (
          <Button
            variant={hook ? 'default' : 'filled'}
            loading={rotate.isPending}
            onClick={hook ? () => setAsking(true) : make}
          >
            {hook ? 'New address…' : 'Make the address'}
          </Button>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Replace the address?"
        action="Make a new address"
        isDestructive
        isBusy={rotate.isPending}
        onConfirm={make}
        onClose={() => setAsking(false)}
      >
        <p>The address in use answers 404 from then on, and its key is good for nothing. Tell the sender.</p>
      </ConfirmDialog>
      {issued && (
        <NewAddressDialog
          url={`${location.origin}${issued.path}`}
          secret={issued.secret}
          {...{ signature, fields }}
          isOn={flow.enabled}
          onClose={rotate.reset}
        />
      )}
    </Panel>
  )
}

const NONE = 'No address yet: make one, and give it to the system that is to start the flow.'

interface MadeProps {
  readonly createdAt: string
  readonly isSigned: boolean
  readonly signature: string
}

function Made({ createdAt, isSigned, signature }: MadeProps) {
  return (
    <>
      Made <Time at={createdAt} />; it was shown then and is not stored.{' '}
      {isSigned ? `Requests must be signed (${signature}).` : 'Who knows it can start the flow.'}
      {!isSigned &&
        signature !== 'none' &&
        ' The newest version wants signatures: make a new address for them.'}
    </>
  )
}
