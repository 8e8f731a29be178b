import { crc32, deflateSync } from 'node:zlib'
import { encode, renderSVG } from 'uqr'

/** QR codes (ISO/IEC 18004) as images, dark on light with the quiet zone that the standard asks for. */

/** In squares of the code. */
const QUIET = 4
/** Pixels for each square. */
const SCALE = 8
const CORRECTION = 'M'

export const qrSvg = (text: string): string => renderSVG(text, { ecc: CORRECTION, border: QUIET })

/** One bit for each pixel, 1 is light. */
export function qrPng(text: string): Buffer {
  const { data, size } = encode(text, { ecc: CORRECTION, border: 0 })
  const side = (size + 2 * QUIET) * SCALE
  const bytesPerRow = Math.ceil(side / 8)
  const rows = Array.from({ length: side }, (_, y) => {
    // the first byte says that the row is not filtered
    const row = Buffer.alloc(1 + bytesPerRow, 0xff)
    row[0] = 0
    for (let x = 0; x < side; x += 1)
      if (data[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET]) {
        const at = 1 + (x >> 3)
        row[at] = (row[at] ?? 0) & ~(0x80 >> (x & 7))
      }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1 // bits of a pixel; the kind of colour, 0, is grey
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** RFC 2083, 12.11. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
