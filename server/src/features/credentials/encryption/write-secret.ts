import type { Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { encryptedSecret, type CollectorSecret } from './collector-secret.ts'
import * as store from './collector-secret-store.ts'
import { sealSecrets, type Sealed } from './data-keys.ts'

const COLLECTORS_MAX = 20

export interface SecretToWrite extends CollectorSecret {
  readonly secretVersion: number
  /** Those that alone can open it; none: the server can. */
  readonly collectorIds: readonly string[]
}

/** A secret in the one or the other form, as it is about to be stored. */
export interface WrittenSecret extends Sealed {
  readonly copies: readonly store.EncryptedCopy[]
}

/** Throws 404 for a collector that is not there, 400 for one that was revoked or has no key yet. */
export async function writtenSecret(ctx: Ctx, secret: SecretToWrite): Promise<WrittenSecret> {
  const { collectorIds, secretVersion, ...content } = secret
  if (collectorIds.length === 0)
    return { ...(await sealSecrets(ctx, content.credentialId, secretVersion, content.secrets)), copies: [] }
  const openers = await openersOf(ctx, collectorIds)
  const copies = await Promise.all(
    openers.map(async ({ collectorId, key }) => ({
      collectorId,
      encrypted: await encryptedSecret(key, content),
    })),
  )
  return { secretSealed: null, keyVersion: null, secretVersion, copies }
}

export const { openedOnlyBy, replaceCopies, keepCopies } = store

async function openersOf(ctx: Ctx, collectorIds: readonly string[]) {
  if (collectorIds.length > COLLECTORS_MAX) throw invalid('collectorIds', `are more than ${COLLECTORS_MAX}`)
  const found = collectorIds.every(isUuid) ? await store.openers(ctx, collectorIds) : []
  if (found.length < collectorIds.length) throw notFound('collector')
  const keys = await store.exchangeKeys(ctx, collectorIds)
  return found.map(({ collectorId, name, isRevoked }) => {
    const key = keys.get(collectorId)
    if (isRevoked) throw invalid('collectorIds', `${name} was revoked`)
    if (!key) throw invalid('collectorIds', `${name} has no key until it was started once`)
    return { collectorId, key }
  })
}
