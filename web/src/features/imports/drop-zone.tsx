import { Button, FileButton } from '@mantine/core'
import { FileUp } from 'lucide-react'
import styles from './drop-zone.module.css'
import { useFileDrop } from './use-file-drop.ts'

interface DropZoneProps {
  readonly isDisabled: boolean
  readonly onFile: (file: File) => void
}

/** Takes one file, dropped or chosen. */
export function DropZone({ isDisabled, onFile }: DropZoneProps) {
  const isOver = useFileDrop((file) => !isDisabled && onFile(file))
  return (
    <div className={styles['zone']} data-over={isOver || undefined} role="group" aria-label="File to import">
      <FileUp className={styles['icon']} size={24} strokeWidth={1.6} aria-hidden />
      <p className={styles['title']}>Drop a file here</p>
      <p className={styles['text']}>
        A CSV list whose first line names its columns as the export does, or what nmap wrote with{' '}
        <code>-oX</code>, of at most 20 MB. You see what it would bring before anything is written.
      </p>
      <FileButton
        accept=".csv,.xml,text/csv,text/xml,application/xml"
        onChange={(file) => file && onFile(file)}
      >
        {(props) => (
          <Button {...props} disabled={isDisabled}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </div>
  )
}
