import { expect, test } from 'vitest'
import { attachmentDisposition, safeFileName } from './file-name.ts'
import { mediaTypeOf, mediaTypes } from './media-type.ts'

const entry = (name: string, content = '') =>
  Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}${name}${content}`, 'latin1')

test.each([
  [Buffer.from('%PDF-1.7'), 'application/pdf'],
  [Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBPVP8 ', 'latin1'), 'image/webp'],
  [Buffer.from('\0\0\0\u0018ftypheic', 'latin1'), 'image/heic'],
  [Buffer.from('\0\0\0\u0018ftypisom', 'latin1'), 'video/mp4'],
  [entry('photos/a.jpg'), 'application/zip'],
  [entry('mimetype', 'application/vnd.oasis.opendocument.text'), 'application/vnd.oasis.opendocument.text'],
  [
    entry('[Content_Types].xml', 'xl/workbook.xml'),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [Buffer.from('<html><script>alert(1)</script>'), 'text/plain; charset=utf-8'],
  [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain; charset=utf-8'],
  [Buffer.from('gr\u00fcn\r\n'), 'text/plain; charset=utf-8'],
  [Buffer.from(`${'x'.repeat(4_095)}\u00fc`), 'text/plain; charset=utf-8'],
  [Buffer.from('gr\u00fcn', 'latin1'), 'application/octet-stream'],
  [Buffer.from([0x4d, 0x5a, 0, 1]), 'application/octet-stream'],
])('%s is %s', (head, mediaType) => {
  expect(mediaTypeOf(head)).toBe(mediaType)
  expect(mediaTypes).toContain(mediaType)
})

test.each([
  ['invoice.pdf', 'invoice.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\a\\b.txt', 'b.txt'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['a\r\nSet-Cookie: x', 'aSet-Cookie_ x'],
  ['.htaccess', 'htaccess'],
  ['nul.txt', '_nul.txt'],
  ['..', 'file'],
  ['a "quoted" name?.txt', 'a _quoted_ name_.txt'],
  ['\u00fc\u65e5.txt', '\u00fc\u65e5.txt'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
])('%j is stored as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})

test('the header has the name in ASCII and as it is', () => {
  expect(attachmentDisposition("gr\u00fcn 'a'.txt")).toBe(
    `attachment; filename="gr_n 'a'.txt"; filename*=UTF-8''gr%C3%BCn%20%27a%27.txt`,
  )
})
