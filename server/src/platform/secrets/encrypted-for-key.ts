import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose'

const ALGORITHM = 'ECDH-ES'
const CONTENT = 'A256GCM'

/** JSON Web Encryption (RFC 7516) to an X25519 key (RFC 8037): only the holder of the private half can read it. */
export async function encryptedFor(publicKey: JWK, text: string): Promise<string> {
  const key = await importJWK(publicKey, ALGORITHM)
  return new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: CONTENT })
    .encrypt(key)
}

export async function decrypted(privateKey: JWK, encrypted: string): Promise<string> {
  const key = await importJWK(privateKey, ALGORITHM)
  const { plaintext } = await compactDecrypt(encrypted, key, {
    keyManagementAlgorithms: [ALGORITHM],
    contentEncryptionAlgorithms: [CONTENT],
  })
  return Buffer.from(plaintext).toString('utf8')
}
