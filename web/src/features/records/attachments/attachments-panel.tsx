import { Panel } from '#ui/panel.tsx'
import { AttachmentList } from './attachment-list.tsx'
import { FileButtons } from './file-buttons.tsx'
import { useAttachFiles } from './use-attach-files.ts'

interface AttachmentsPanelProps {
  readonly assetId: string
  readonly mayWrite: boolean
}

/** Files that people attached to an asset: invoices, photos, manuals. */
export function AttachmentsPanel({ assetId, mayWrite }: AttachmentsPanelProps) {
  const { attach, share } = useAttachFiles({ assetId })
  return (
    <Panel title="Files" aside={mayWrite && <FileButtons isBusy={share !== undefined} onFiles={attach} />}>
      <AttachmentList of={{ assetId }} mayWrite={mayWrite} share={share} onFiles={attach} />
    </Panel>
  )
}
