import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { decrypted, encrypted, newDataKey } from './envelope-encryption.ts'
import * as store from './data-key-store.ts'
import type { Values } from '../credential-kinds.ts'

const BATCH = 50

/** What a wrapped key is bound to. */
export const wrapContext = (tenantId: string, version: number): string =>
  `credential_key|${tenantId}|${version}`

function wrap(ctx: Ctx, version: number): store.WrappedKey {
  return {
    version,
    wrapped: ctx.seal.seal(newDataKey().toString('base64'), wrapContext(ctx.tenantId, version)),
  }
}

const unwrap = (ctx: Ctx, { version, wrapped }: store.WrappedKey): Buffer =>
  Buffer.from(ctx.seal.open(wrapped, wrapContext(ctx.tenantId, version)), 'base64')

/** Within the transaction that writes the secret. The tenant's first secret makes its first key. */
async function newestKey(ctx: Ctx): Promise<store.WrappedKey> {
  const known = await store.newest(ctx)
  if (known) return known
  await store.add(ctx, wrap(ctx, 1))
  return newestKey(ctx)
}

/** Both null: collectors alone can open the secret. */
export interface Sealed {
  readonly secretSealed: Buffer | null
  readonly secretVersion: number
  readonly keyVersion: number | null
}

export async function sealSecrets(
  ctx: Ctx,
  credentialId: string,
  secretVersion: number,
  secrets: Values,
): Promise<store.NewlyEncrypted> {
  const key = await newestKey(ctx)
  const place = { tenantId: ctx.tenantId, credentialId, secretVersion }
  const secretSealed = encrypted(unwrap(ctx, key), place, JSON.stringify(secrets))
  return { secretSealed, secretVersion, keyVersion: key.version }
}

export function openSecrets(ctx: Ctx, { id, secretSealed, ...at }: store.Encrypted): Values {
  const key = unwrap(ctx, { version: at.keyVersion, wrapped: at.wrapped })
  const place = { tenantId: ctx.tenantId, credentialId: id, secretVersion: at.secretVersion }
  return JSON.parse(decrypted(key, place, secretSealed)) as Values
}

export interface Rotation {
  /** The version that everything is encrypted under now. */
  readonly version: number
  readonly reencrypted: number
  /** Old keys that are no more. */
  readonly removed: number
}

/**
 * A new data key for the tenant, and every secret under it. Scans and changes go on meanwhile: an old key opens what
 * is still under it. One that was interrupted is taken up where it stopped. Undefined where there is no key yet.
 */
export async function rotateTenantKeys(ctx: Ctx): Promise<Rotation | undefined> {
  permit(ctx, 'credentials:write')
  const version = await atomically(ctx, begun)
  if (version === undefined) return undefined
  let reencrypted = 0
  for (;;) {
    const moved = await atomically(ctx, (inner) => moveSome(inner, version))
    if (moved === 0) break
    reencrypted += moved
  }
  const removed = await atomically(ctx, async (inner) => {
    const gone = await store.removeUnused(inner, version)
    const subject = { type: 'credential_key', id: String(version) }
    await record(inner, 'credential_key.rotated', subject, { version, reencrypted, removed: gone })
    return gone
  })
  return { version, reencrypted, removed }
}

/** The version to move everything to: a new one, or that of a rotation that was interrupted. */
async function begun(ctx: Ctx): Promise<number | undefined> {
  const current = await store.newest(ctx)
  if (!current) return undefined
  if (await store.isBehind(ctx, current.version)) return current.version
  const next = wrap(ctx, current.version + 1)
  await store.add(ctx, next)
  return next.version
}

async function moveSome(ctx: Ctx, version: number): Promise<number> {
  const rows = await store.behind(ctx, version, BATCH)
  for (const row of rows) {
    const sealed = await sealSecrets(ctx, row.id, row.secretVersion, openSecrets(ctx, row))
    await store.reencrypt(ctx, row.id, sealed.secretSealed, sealed.keyVersion)
  }
  return rows.length
}

/** Of every tenant, one after the other. */
export async function rotateKeys(system: Ctx): Promise<(Rotation & { readonly tenantId: string })[]> {
  permit(system, 'credentials:write')
  const done: (Rotation & { tenantId: string })[] = []
  for (const tenantId of await store.tenantsWithKeys(system)) {
    const rotated = await rotateTenantKeys({ ...system, tenantId })
    if (rotated) done.push({ tenantId, ...rotated })
  }
  return done
}
