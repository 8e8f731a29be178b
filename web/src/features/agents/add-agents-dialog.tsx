import { Alert, Button, Modal, SegmentedControl } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CreateEnrolmentTokenDocument } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import styles from './add-agents-dialog.module.css'
import { FirstReport } from './first-report.tsx'
import { installLines, needsHttps, type AgentChoice } from './install-lines.ts'

interface Issued {
  readonly tokenId: string
  readonly secret: string
}

/** Makes a token as it opens; what is typed on hosts is shown this once. */
export function AddAgentsDialog({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued>()
  const isAsked = useRef(false)
  const { mutate, isError } = useChange(CreateEnrolmentTokenDocument, {
    onDone: ({ createEnrolmentToken: { token, secret } }) => setIssued({ tokenId: token.id, secret }),
  })
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    mutate({ name: `Agents of ${new Date().toISOString().slice(0, 10)}` })
  }, [mutate])
  return (
    <Modal opened onClose={onClose} title="Add agents" size="lg" closeOnClickOutside={false}>
      {isError && (
        <Alert color="red" variant="light" role="alert">
          No token could be made. Close this and try again.
        </Alert>
      )}
      {issued && <Instructions issued={issued} />}
      <Button fullWidth mt="md" variant="default" onClick={onClose}>
        Done
      </Button>
    </Modal>
  )
}

const choices: { value: AgentChoice; label: string }[] = [
  { value: 'linux', label: 'Linux' },
  { value: 'node', label: 'With Node 20' },
  { value: 'other', label: 'Other' },
]

function Instructions({ issued: { tokenId, secret } }: { readonly issued: Issued }) {
  const [choice, setChoice] = useState<AgentChoice>('linux')
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Kind of agent"
        data={choices}
        value={choice}
        onChange={(value) => setChoice(value as AgentChoice)}
      />
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
      {choice === 'other' && (
        <p className="quiet">
          For GLPI, FusionInventory, OCS and osquery, on Windows and macOS too. docs/agents.md has the file
          and the setting of each.
        </p>
      )}
      <p className="quiet">
        The same lines serve any number of hosts for a year. The token in them is shown this once.
      </p>
      <div className={styles['waiting']}>
        <FirstReport tokenId={tokenId} />
      </div>
    </>
  )
}
