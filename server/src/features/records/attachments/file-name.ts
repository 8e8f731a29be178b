const LENGTH_MAX = 200
/** Control and format characters, such as those that turn the direction of writing, and halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
/** What Windows takes in no name. */
const REFUSED = /[<>:"|?*]/g
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** The last part of a path, without what a file system or a reader could be misled by; at most 200 characters. */
export function safeFileName(name: string): string {
  const last = name.normalize('NFC').replaceAll('\\', '/').split('/').at(-1) ?? ''
  const plain = last
    .replaceAll(UNPRINTABLE, '')
    .replaceAll(REFUSED, '_')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  const safe = DEVICE.test(plain) ? `_${plain}` : plain
  return withinLength(safe) || 'file'
}

/** The extension stays. */
function withinLength(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= LENGTH_MAX) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, LENGTH_MAX - extension.length).join('') + extension
}

/** RFC 6266: to be stored and never displayed in the page; the name in ASCII, and as it is. */
export function attachmentDisposition(name: string): string {
  const ascii = name.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
