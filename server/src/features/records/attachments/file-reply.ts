import type { Reply } from '#platform/http/route.ts'
import type { AttachmentFile } from './attachments.ts'
import { attachmentDisposition } from './file-name.ts'

/** To be stored, whatever it is. */
export const fileReply = ({ attachment, content }: AttachmentFile): Reply => ({
  file: { mediaType: attachment.mediaType ?? '', content, bytes: attachment.bytes },
  headers: {
    'content-disposition': attachmentDisposition(attachment.name),
    etag: `"${attachment.digest ?? ''}"`,
  },
})
