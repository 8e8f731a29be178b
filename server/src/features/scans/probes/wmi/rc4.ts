/**
 * The RC4 key stream. NTLM seals messages with it, and OpenSSL no longer brings it; nothing else may use it. Each call
 * goes on where the last one ended.
 */
export function rc4(key: Uint8Array): (data: Uint8Array) => Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number): number => state[i & 0xff] ?? 0
  const swap = (i: number, j: number): void => {
    const swapped = at(i)
    state[i] = at(j)
    state[j] = swapped
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 0xff
    swap(i, j)
  }
  let i = 0
  let j = 0
  return (data) => {
    const out = Buffer.alloc(data.length)
    for (let n = 0; n < data.length; n++) {
      i = (i + 1) & 0xff
      j = (j + at(i)) & 0xff
      swap(i, j)
      out[n] = (data[n] ?? 0) ^ at(at(i) + at(j))
    }
    return out
  }
}
