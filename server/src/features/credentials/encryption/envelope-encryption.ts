import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const FORM = 1
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a ciphertext belongs to: moved to another tenant, credential or version, it does not open. */
export interface Place {
  readonly tenantId: string
  readonly credentialId: string
  readonly secretVersion: number
}

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES)

/** Layout: form, nonce, tag, ciphertext. */
export function encrypted(key: Buffer, place: Place, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(placed(place))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([FORM]), nonce, cipher.getAuthTag(), text])
}

export function decrypted(key: Buffer, place: Place, sealed: Buffer): string {
  if (sealed[0] !== FORM) throw new Error(`a secret of unknown form ${sealed[0]}`)
  const text = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(placed(place)).setAuthTag(sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
}

const placed = ({ tenantId, credentialId, secretVersion }: Place): Buffer =>
  Buffer.from(`${tenantId}|${credentialId}|${secretVersion}`)
