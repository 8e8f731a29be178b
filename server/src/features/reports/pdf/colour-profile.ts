/**
 * An ICC profile (ICC.1:2001-04, version 2) of the colours of sRGB (IEC 61966-2-1), as the intent of output that PDF/A
 * asks for. The curve is the power 2.2, which differs from that of sRGB by less than printers do.
 */
export function srgbProfile(): Buffer {
  const description = descriptionTag('sRGB primaries, gamma 2.2')
  const curve = Buffer.concat([tag('curv'), u32(1), Buffer.from([0x02, 0x33, 0, 0])])
  const tags: [string, Buffer][] = [
    ['desc', description],
    ['cprt', Buffer.concat([tag('text'), Buffer.from('No copyright, use freely\0\0\0\0')])],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    // adapted to the white point D50
    ['rXYZ', xyz(0.4361, 0.2225, 0.0139)],
    ['gXYZ', xyz(0.3851, 0.7169, 0.0971)],
    ['bXYZ', xyz(0.1431, 0.0606, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const HEADER = 128
  const directory: Buffer[] = [u32(tags.length)]
  const bodies: Buffer[] = []
  let offset = HEADER + 4 + 12 * tags.length
  for (const [name, body] of tags) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    directory.push(Buffer.from(name), u32(offset), u32(body.length))
    bodies.push(padded)
    offset += padded.length
  }
  return Buffer.concat([header(offset), ...directory, ...bodies])
}

function header(size: number): Buffer {
  const buffer = Buffer.alloc(128)
  buffer.writeUInt32BE(size, 0)
  buffer.writeUInt32BE(0x02100000, 8)
  buffer.write('mntrRGB XYZ ', 12)
  // made on 2026-01-01
  for (const [at, value] of [2026, 1, 1, 0, 0, 0].entries()) buffer.writeUInt16BE(value, 24 + 2 * at)
  buffer.write('acsp', 36)
  ;[0.9642, 1, 0.8249].forEach((value, at) => buffer.writeInt32BE(fixed(value), 68 + 4 * at))
  return buffer
}

/** The type of a tag and its reserved bytes. */
const tag = (type: string): Buffer => Buffer.concat([Buffer.from(type), u32(0)])

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}

const fixed = (value: number): number => Math.round(value * 65_536)

function xyz(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(12)
  values.forEach((value, at) => buffer.writeInt32BE(fixed(value), 4 * at))
  return Buffer.concat([tag('XYZ '), buffer])
}

/** With empty names for Unicode and for scripts of the Macintosh. */
function descriptionTag(text: string): Buffer {
  const ascii = Buffer.from(`${text}\0`)
  return Buffer.concat([tag('desc'), u32(ascii.length), ascii, Buffer.alloc(8 + 3 + 67)])
}
