import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { rc4 } from './rc4.ts'

/** Seals what the client sends and opens what the server sends, in order: [MS-NLMP] 3.4, extended session security. */
export interface Sealing {
  readonly seal: (plain: Buffer) => Sealed
  /** Undefined when it was not sealed by the server as the next message. */
  readonly open: (sealed: Sealed) => Buffer | undefined
}

export interface Sealed {
  /** 16 octets. */
  readonly signature: Buffer
  readonly data: Buffer
}

export function sealing(sessionKey: Buffer): Sealing {
  const out = direction(sessionKey, 'client-to-server')
  const back = direction(sessionKey, 'server-to-client')
  return {
    seal: (plain) => {
      const data = out.stream(plain)
      return { signature: out.sign(plain), data }
    },
    open: ({ signature, data }) => {
      const plain = back.stream(data)
      const expected = back.sign(plain)
      return signature.length === expected.length && timingSafeEqual(signature, expected) ? plain : undefined
    },
  }
}

interface Direction {
  readonly stream: (data: Uint8Array) => Buffer
  readonly sign: (plain: Buffer) => Buffer
}

const SIGNATURE_VERSION = 1

function direction(sessionKey: Buffer, name: 'client-to-server' | 'server-to-client'): Direction {
  const signingKey = derived(sessionKey, `session key to ${name} signing key magic constant\0`)
  const stream = rc4(derived(sessionKey, `session key to ${name} sealing key magic constant\0`))
  let sequence = 0
  return {
    stream,
    sign(plain) {
      const signature = Buffer.alloc(16)
      signature.writeUInt32LE(SIGNATURE_VERSION)
      signature.writeUInt32LE(sequence++, 12)
      const sum = createHmac('md5', signingKey).update(signature.subarray(12)).update(plain).digest()
      stream(sum.subarray(0, 8)).copy(signature, 4)
      return signature
    },
  }
}

const derived = (key: Buffer, purpose: string): Buffer =>
  createHash('md5').update(key).update(purpose, 'latin1').digest()
