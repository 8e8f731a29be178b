import { inSentence } from '#lib/sentence-case.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './json-block.module.css'

interface JsonBlockProps {
  readonly label: string
  readonly value: unknown
}

/** Formatted JSON with a copy button. */
export function JsonBlock({ label, value }: JsonBlockProps) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className={styles['block']}>
      <pre className={styles['text']} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <span className={styles['copy']}>
        <CopyButton value={text} label={`Copy ${inSentence(label)}`} />
      </span>
    </div>
  )
}
