/** What content is, judged by its first bytes alone: names and what a client claims are not asked. */

/** Bytes of the beginning that are looked at. */
export const HEAD_BYTES = 4_096

const UNKNOWN = 'application/octet-stream'
/** Also HTML, SVG and scripts: as text they do nothing. */
const TEXT = 'text/plain; charset=utf-8'
const ZIP = 'application/zip'
const MP4 = 'video/mp4'
const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

/** Hexadecimal, at the beginning. */
const signatures: readonly (readonly [start: string, mediaType: string])[] = [
  ['255044462d', 'application/pdf'],
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['504b0304', ZIP],
  ['1f8b08', 'application/gzip'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['d0cf11e0a1b11ae1', 'application/x-ole-storage'],
]

/** Folders of Office Open XML. */
const openXml: readonly (readonly [folder: string, mediaType: string])[] = [
  ['word/', `${OPEN_XML}.wordprocessingml.document`],
  ['xl/', `${OPEN_XML}.spreadsheetml.sheet`],
  ['ppt/', `${OPEN_XML}.presentationml.presentation`],
]

/** Brands of ISO 14496-12 files that are pictures, as phones take them. */
const pictures: Readonly<Record<string, string>> = {
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heif',
  avif: 'image/avif',
}

const openDocuments = ['text', 'spreadsheet', 'presentation'].map(
  (it) => `application/vnd.oasis.opendocument.${it}`,
)

/** All that `mediaTypeOf` answers. */
export const mediaTypes: readonly string[] = [
  ...new Set([
    ...signatures.map(([, mediaType]) => mediaType),
    ...openXml.map(([, mediaType]) => mediaType),
    ...Object.values(pictures),
    ...openDocuments,
    'image/webp',
    MP4,
    TEXT,
    UNKNOWN,
  ]),
]

/** `head` is the beginning, of at least 4,096 bytes if there are so many. */
export function mediaTypeOf(head: Buffer): string {
  const hex = head.subarray(0, 16).toString('hex')
  const known = signatures.find(([start]) => hex.startsWith(start))?.[1]
  if (known === ZIP) return inZip(head.toString('latin1'))
  if (known !== undefined) return known
  const [four, brand] = [head.toString('latin1', 0, 4), head.toString('latin1', 8, 12)]
  if (four === 'RIFF' && brand === 'WEBP') return 'image/webp'
  if (head.toString('latin1', 4, 8) === 'ftyp') return pictures[brand] ?? MP4
  return isText(head.subarray(0, HEAD_BYTES)) ? TEXT : UNKNOWN
}

function inZip(head: string): string {
  const openDocument = openDocuments.find((it) => head.startsWith(`mimetype${it}`, 30))
  if (openDocument !== undefined) return openDocument
  if (!head.includes('[Content_Types].xml')) return ZIP
  return openXml.find(([folder]) => head.includes(folder))?.[1] ?? ZIP
}

/** UTF-8 without control characters other than those of lines; the last character may be cut off. */
function isText(head: Buffer): boolean {
  if (head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
