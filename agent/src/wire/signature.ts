import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'

/** Before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410), and of a public key in SPKI. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_PREFIX_LENGTH = 12
const COVERED = '("@method" "@path" "@query" "content-digest")'
const TAG = 'rollcall-agent-1'

/** The identity of an agent. `keyId` is the SHA-256 of the raw public key in hexadecimal digits. */
export interface AgentKey {
  /** 32 bytes. */
  readonly seed: Buffer
  readonly privateKey: KeyObject
  /** 32 bytes. */
  readonly publicKey: Buffer
  readonly keyId: string
}

export function newKey(): AgentKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return keyFrom(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8_PREFIX.length))
}

export function keyFrom(seed: Buffer): AgentKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const publicKey = spki.subarray(SPKI_PREFIX_LENGTH)
  return { seed, privateKey, publicKey, keyId: createHash('sha256').update(publicKey).digest('hex') }
}

export interface RequestToSign {
  /** POST unless given. */
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** As it is sent, packed. */
  readonly body: Buffer
  /** Greater than in every request before with this key. */
  readonly counter: number
  /** Seconds since 1970 by the server's clock. */
  readonly created: number
}

/** HTTP Message Signatures (RFC 9421) in the one profile that the server accepts; digest as RFC 9530 has it. */
export function signatureHeaders(key: AgentKey, request: RequestToSign): Record<string, string> {
  const { method = 'POST', path, body, counter, created } = request
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const parameters = `${COVERED};created=${created};keyid="${key.keyId}";nonce="${counter}";tag="${TAG}"`
  const base = [
    `"@method": ${method}`,
    `"@path": ${path}`,
    '"@query": ?',
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n')
  return {
    'content-digest': digest,
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${sign(null, Buffer.from(base), key.privateKey).toString('base64')}:`,
  }
}

/** Shows that whoever signs with the old key also holds the new one. */
export const rekeyProof = (oldKeyId: string, newKey: AgentKey): string =>
  sign(null, Buffer.from(`rollcall-agent-rekey-1\n${oldKeyId}\n${newKey.keyId}`), newKey.privateKey).toString(
    'base64',
  )
