import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Ctx, Signed } from '#platform/context.ts'
import * as store from './signing-key-store.ts'
import { fingerprintOf } from './verify-proof.ts'

/** The Ed25519 key of the installation, for checkpoints of audit logs. */

const SEAL_CONTEXT = 'audit signing key'

export const sealedKey = {
  table: 'audit_signing_key',
  key: ['id'],
  column: 'private_key_sealed',
  contextOf: () => SEAL_CONTEXT,
} as const

/** `system`: a tenant's context is refused by the database. */
export async function signBytes(system: Ctx, bytes: Buffer): Promise<Signed> {
  const { publicKey, privateKeySealed } = await installationKey(system)
  const key = createPrivateKey(system.seal.open(privateKeySealed, SEAL_CONTEXT))
  return { publicKey, signature: sign(null, bytes, key) }
}

/** What everybody may read at /.well-known/rollcall.json. */
export async function publishedKeys(system: Ctx) {
  const { publicKey } = await installationKey(system)
  return {
    keys: [
      {
        algorithm: 'Ed25519',
        public_key: publicKey.toString('base64'),
        fingerprint: fingerprintOf(publicKey),
        used_for: 'checkpoints of audit logs (rollcall verify)',
      },
    ],
  }
}

/** Made when it is asked for the first time. */
async function installationKey(system: Ctx): Promise<store.SigningKey> {
  const known = await store.signingKey(system)
  if (known) return known
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await store.addSigningKey(system, {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    privateKeySealed: system.seal.seal(pem, SEAL_CONTEXT),
  })
  return installationKey(system)
}
