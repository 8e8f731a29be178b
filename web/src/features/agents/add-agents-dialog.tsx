import { Alert, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { CreateEnrolmentTokenDocument } from '#api/generated/agents.ts'
import { useChange } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import styles from './add-agents-dialog.module.css'
import { FirstReport } from './first-report.tsx'
import { installLines, needsHttps } from './install-lines.ts'
import { NewTokenForm, type NewToken } from './new-token-form.tsx'

interface Issued extends NewToken {
  readonly tokenId: string
  readonly secret: string
}

/** Asks what the token is for, makes it, and shows this once what is typed on hosts. */
export function AddAgentsDialog({ onClose }: { readonly onClose: () => void }) {
  const [asked, setAsked] = useState<NewToken>()
  const [issued, setIssued] = useState<{ readonly tokenId: string; readonly secret: string }>()
  const { mutate, isError, isPending } = useChange(CreateEnrolmentTokenDocument, {
    onDone: ({ createEnrolmentToken: { token, secret } }) => setIssued({ tokenId: token.id, secret }),
  })
  const make = (token: NewToken) => {
    setAsked(token)
    const { choice, uses, needsApproval } = token
    const name = `Agents of ${new Date().toISOString().slice(0, 10)}`
    mutate(choice === 'other' ? { name, kind: 'dropin' } : { name, kind: 'agent', uses, needsApproval })
  }
  return (
    <Modal opened onClose={onClose} title="Add agents" size="lg" closeOnClickOutside={false}>
      {isError && (
        <Alert color="red" variant="light" role="alert" mb="sm">
          No token could be made. Try again.
        </Alert>
      )}
      {issued && asked ? (
        <>
          <Instructions issued={{ ...asked, ...issued }} />
          <Button fullWidth mt="md" variant="default" onClick={onClose}>
            Done
          </Button>
        </>
      ) : (
        <NewTokenForm isBusy={isPending} onSubmit={make} />
      )}
    </Modal>
  )
}

function Instructions({ issued }: { readonly issued: Issued }) {
  const { choice, tokenId, secret } = issued
  return (
    <>
      {needsHttps(location) && (
        <Alert color="yellow" variant="light" mt="sm">
          This page is not served over https. Agents refuse to send their token to it, except from this very
          machine.
        </Alert>
      )}
      <ol className={styles['lines']}>
        {installLines(choice, location.origin, secret).map(({ does, text }) => (
          <li key={does}>
            {does}
            <div className={styles['line']}>
              <code className={styles['text']}>{text}</code>
              <CopyButton value={text} label={`Copy: ${does}`} />
            </div>
          </li>
        ))}
      </ol>
      <p className="quiet">{validityOf(issued)} The token in them is shown this once.</p>
      <div className={styles['waiting']}>
        <FirstReport tokenId={tokenId} />
      </div>
    </>
  )
}

function validityOf({ choice, uses, needsApproval }: NewToken): string {
  if (choice === 'other')
    return 'For GLPI, FusionInventory, OCS and osquery; docs/agents.md has the file and the setting of each.'
  const hosts = uses === 1 ? 'These lines serve one host' : `The same lines serve ${count(uses)} hosts`
  return `${hosts}, within 30 days.${needsApproval ? ' Each waits in the list of agents until it is approved.' : ''}`
}
