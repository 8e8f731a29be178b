import { Button, FileButton } from '@mantine/core'
import { Camera, Paperclip } from 'lucide-react'
import styles from './attachment-list.module.css'

interface FileButtonsProps {
  readonly isBusy: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** To choose files and, where the screen is touched, to take a photo. */
export const FileButtons = ({ isBusy, onFiles }: FileButtonsProps) => (
  <span className={styles['buttons']}>
    <FileButton accept="image/*" capture="environment" onChange={(file) => file && onFiles([file])}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          className={styles['camera'] ?? ''}
          loading={isBusy}
          leftSection={<Camera size={13} aria-hidden />}
        >
          Photo
        </Button>
      )}
    </FileButton>
    <FileButton multiple onChange={onFiles}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={isBusy}
          leftSection={<Paperclip size={13} aria-hidden />}
        >
          Add files
        </Button>
      )}
    </FileButton>
  </span>
)
