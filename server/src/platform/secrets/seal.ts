import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what must be read again: AES-256-GCM, bound to `context` so that a ciphertext cannot be moved to another row. */
export interface Seal {
  readonly seal: (plain: string, context: string) => Buffer
  readonly open: (sealed: Buffer, context: string) => string
}

const ALGORITHM = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `secretKey` is the installation's SECRET_KEY; layout of a sealed value: version, nonce, tag, ciphertext. */
export function openSeal(secretKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'rollcall', 'seal v1', 32))
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new Error(`sealed value of unknown version ${sealed[0]}`)
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return (
        decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES), undefined, 'utf8') +
        decipher.final('utf8')
      )
    },
  }
}

/** Remembers what it has opened lately, for those who open the same values again and again. */
export function remembering(seal: Seal, entriesMax: number): Seal {
  const opened = new Map<string, string>()
  return {
    seal: seal.seal,
    open(sealed, context) {
      const key = `${context}\n${sealed.toString('latin1')}`
      const known = opened.get(key)
      if (known !== undefined) return known
      const plain = seal.open(sealed, context)
      if (opened.size >= entriesMax) opened.clear()
      opened.set(key, plain)
      return plain
    },
  }
}
