import { Alert } from '@mantine/core'
import type { CloudProviderParts } from '#api/generated/cloud.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import styles from './cloud-setup-steps.module.css'

interface CloudSetupStepsProps {
  readonly provider: string
  readonly signIn: Pick<CloudProviderParts['signIns'][number], 'warning' | 'instructions'>
}

/** Documents and commands for the provider, ready to paste; what is in capitals is replaced by hand. */
export function CloudSetupSteps({ provider, signIn: { warning, instructions } }: CloudSetupStepsProps) {
  return (
    <>
      {warning !== '' && (
        <Alert color="yellow" variant="light">
          {warning}
        </Alert>
      )}
      <details className={styles['steps']}>
        <summary>What to set up at {provider} first</summary>
        <p className="quiet">Words in capitals are yours to replace.</p>
        <ol>
          {instructions.map(({ title, text }) => (
            <li key={title}>
              <span className={styles['title']}>
                {title}
                <CopyButton value={text} label={`Copy: ${title}`} />
              </span>
              <pre className={styles['text']} tabIndex={0} role="group" aria-label={title}>
                {text}
              </pre>
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}
