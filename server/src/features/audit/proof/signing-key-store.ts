import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** The key that signs checkpoints of audit logs. The database role of tenants may not read it. */

export interface SigningKey {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
  /** PKCS #8 in PEM, sealed. */
  readonly privateKeySealed: Buffer
}

/** Of the installation; undefined: none was made yet. */
export function signingKey(system: Ctx): Promise<SigningKey | undefined> {
  return system.db.maybe(sql<SigningKey>`
    select public_key as "publicKey", private_key_sealed as "privateKeySealed" from audit_signing_key`)
}

/** Nothing where there is one. */
export async function addSigningKey(system: Ctx, { publicKey, privateKeySealed }: SigningKey): Promise<void> {
  await system.db.run(sql`
    insert into audit_signing_key (public_key, private_key_sealed, created_at)
    values (${publicKey}, ${privateKeySealed}, ${system.now()}) on conflict (id) do nothing`)
}
