import type { ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { counterRefused, type IdentifiedRequest } from '../agent-authentication.ts'
import * as keys from '../agent-key-store.ts'
import { fingerprintIn } from '../fingerprint.ts'
import { readSections } from '../report-sections.ts'
import { madeFrom } from '../section-observation.ts'
import { textOf } from '../section-values.ts'
import { openTouchBatches, type TouchBatches } from './touch-batch.ts'

/** Reports by which a host says that it is as it was: nearly all. */

export const touchesOf = ({ once }: ProtocolRequest): Promise<TouchBatches> =>
  once('unchanged reports', async () => openTouchBatches())

/**
 * Takes the counter of the request, and the report if it says that the host is as it was. False: the report has to be
 * taken by itself. Throws 409 `replayed` and 403 `revoked`.
 */
export async function takeUnchanged(touches: TouchBatches, asked: IdentifiedRequest): Promise<boolean> {
  const outcome = tellsNothingNew(asked) ? await touch(touches, asked) : await takeCounter(asked)
  if (outcome === 'refused') throw await counterRefused(asked)
  return outcome === 'unchanged'
}

function tellsNothingNew({ key, body }: IdentifiedRequest): boolean {
  const { changed, failed } = body
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return (
    isEmpty(changed) &&
    isEmpty(failed) &&
    body['counter_was_behind'] !== true &&
    !key.mustChange &&
    !key.isRetired
  )
}

const touch = (touches: TouchBatches, { ctx, key, body, address, counter }: IdentifiedRequest) =>
  touches.touch(ctx, {
    keyId: key.keyId,
    agentId: key.agentId,
    counter,
    hashes: readSections({ ...body, changed: {} }).hashes,
    fingerprint: fingerprintIn(body['fingerprint'], ctx.tenantId),
    version: textOf(body, 'version') ?? '',
    address,
    observedFrom: madeFrom(key.keyId),
    seenAt: ctx.now(),
  })

const takeCounter = async ({ ctx, key, counter }: IdentifiedRequest) =>
  (await keys.takeCounter(ctx, key.keyId, counter)) ? 'changed' : 'refused'
