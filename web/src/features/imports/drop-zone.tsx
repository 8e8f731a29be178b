import { Button, FileButton } from '@mantine/core'
import { FileUp } from 'lucide-react'
import styles from './drop-zone.module.css'
import { useFileDrop } from './use-file-drop.ts'

interface DropZoneProps {
  readonly isDisabled: boolean
  readonly onFile: (file: File) => void
}

/** Accepts one file, dropped or chosen. */
export function DropZone({ isDisabled, onFile }: DropZoneProps) {
  const isOver = useFileDrop((file) => !isDisabled && onFile(file))
  return (
    <div className={styles['zone']} data-over={isOver || undefined} role="group" aria-label="File to import">
      <FileUp className={styles['icon']} size={24} strokeWidth={1.6} aria-hidden />
      <p className={styles['title']}>Drop a file here</p>
      <p className={styles['text']}>
        A table (CSV, also with semicolons or tabs, in any usual encoding), what nmap wrote with{' '}
        <code>-oX</code>, an export of Snipe-IT, NetBox, Fleet or Lansweeper, or a list of software:
        CycloneDX, SPDX, <code>dpkg -l</code>, <code>rpm -qa</code>, <code>apk list</code>. At most 20 MB. You
        see what it would bring before anything is written.
      </p>
      <FileButton onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button {...props} disabled={isDisabled}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </div>
  )
}
