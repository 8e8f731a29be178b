import { Modal } from '@mantine/core'
import { AttachmentList } from '../attachments/attachment-list.tsx'
import { FileButtons } from '../attachments/file-buttons.tsx'
import { useAttachFiles } from '../attachments/use-attach-files.ts'
import type { Contract } from './contract-form.tsx'
import styles from './contract-files.module.css'

interface ContractFilesProps {
  readonly contract: Contract
  readonly mayWrite: boolean
  readonly onClose: () => void
}

/** Files that people attached to a contract: the signed paper, offers, invoices. */
export function ContractFiles({ contract: { id, name }, mayWrite, onClose }: ContractFilesProps) {
  const { attach, share } = useAttachFiles({ contractId: id })
  return (
    <Modal opened title={`Files of ${name}`} onClose={onClose}>
      <div className={styles['content']}>
        <AttachmentList of={{ contractId: id }} mayWrite={mayWrite} share={share} onFiles={attach} />
        {mayWrite && <FileButtons isBusy={share !== undefined} onFiles={attach} />}
      </div>
    </Modal>
  )
}
