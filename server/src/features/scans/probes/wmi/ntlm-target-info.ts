/** The list of attributes that a server says of itself in its NTLM challenge: AV_PAIR of [MS-NLMP] 2.2.2.1. */
export interface TargetInfo {
  readonly pairs: readonly Pair[]
  /** The server's clock, as sent. Servers that have one want the integrity of all three messages proven. */
  readonly timestamp: Buffer | undefined
}

export interface Pair {
  readonly id: keyof typeof ids | number
  readonly value: Buffer
}

const ids = { flags: 6, timestamp: 7, target_name: 9, channel_bindings: 10 } as const
const END = 0

/** Undefined when it is cut off. */
export function readTargetInfo(data: Buffer): TargetInfo | undefined {
  const pairs: Pair[] = []
  let timestamp: Buffer | undefined
  for (let at = 0; at + 4 <= data.length;) {
    const [id, length] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
    if (id === END) return { pairs, timestamp }
    const value = data.subarray(at + 4, at + 4 + length)
    if (value.length !== length) return undefined
    if (id === ids.timestamp && length === 8) timestamp = value
    pairs.push({ id, value })
    at += 4 + length
  }
  return undefined
}

export function writeTargetInfo({ pairs }: TargetInfo): Buffer {
  const written = pairs.map(({ id, value }) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(typeof id === 'number' ? id : ids[id])
    head.writeUInt16LE(value.length, 2)
    return Buffer.concat([head, value])
  })
  return Buffer.concat([...written, Buffer.alloc(4)])
}
