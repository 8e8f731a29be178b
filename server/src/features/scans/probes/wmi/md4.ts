/** The MD4 digest of RFC 1320. NTLM needs it, and OpenSSL no longer brings it; nothing else may use it. */
export function md4(message: Uint8Array): Buffer {
  const padded = pad(message)
  const words = new Uint32Array(16)
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = padded.readUInt32LE(at + i * 4)
    state = block(state, words)
  }
  const digest = Buffer.alloc(16)
  state.forEach((word, i) => digest.writeUInt32LE(word >>> 0, i * 4))
  return digest
}

type State = readonly [number, number, number, number]

function pad(message: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8)
  return padded
}

interface Round {
  readonly mix: (x: number, y: number, z: number) => number
  readonly constant: number
  readonly order: readonly number[]
  readonly shifts: readonly number[]
}

const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
]

function block(state: State, words: Uint32Array): State {
  let [a, b, c, d] = state
  for (const { mix, constant, order, shifts } of rounds) {
    order.forEach((word, i) => {
      const sum = (a + mix(b, c, d) + (words[word] ?? 0) + constant) | 0
      const shift = shifts[i % 4] ?? 0
      ;[a, b, c, d] = [d, (sum << shift) | (sum >>> (32 - shift)), b, c]
    })
  }
  return [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
}
