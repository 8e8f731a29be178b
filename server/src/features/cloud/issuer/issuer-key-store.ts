import { sql } from 'kysely'
import type { JsonWebKey } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'

/** Of the installation. The database role of tenants may not read them. */
export interface IssuerKey {
  readonly kid: string
  readonly publicKey: JsonWebKey
  /** PKCS #8 in PEM, sealed. */
  readonly privateKeySealed: Buffer
  /** RFC 3339 */
  readonly signsFrom: string
}

/** The one that signs last comes first. */
export function issuerKeys(system: Ctx): Promise<IssuerKey[]> {
  return system.db.all(sql<IssuerKey>`
    select kid, public_key as "publicKey", private_key_sealed as "privateKeySealed", signs_from as "signsFrom"
    from cloud_issuer_keys order by signs_from desc, kid`)
}

export async function addIssuerKey(
  system: Ctx,
  {
    kid,
    publicKey,
    privateKeySealed,
    signsFrom,
  }: Omit<IssuerKey, 'signsFrom'> & { readonly signsFrom: Date },
): Promise<void> {
  await system.db.run(sql`
    insert into cloud_issuer_keys (kid, public_key, private_key_sealed, signs_from, created_at)
    values (${kid}, ${JSON.stringify(publicKey)}::jsonb, ${privateKeySealed}, ${signsFrom}, ${system.now()})`)
}

export async function removeIssuerKeys(system: Ctx, kids: readonly string[]): Promise<void> {
  await system.db.run(sql`delete from cloud_issuer_keys where kid = any(${[...kids]}::text[])`)
}
