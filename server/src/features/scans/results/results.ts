import { type ScanResult } from './scan-result.ts'
import type { Observation } from '#features/assets/observation.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import { truncateResult } from './truncate-result.ts'
import type { RawAnswer } from '../probes/probe.ts'
import * as store from './result-store.ts'

/** Of one scan; what goes beyond is in the inventory alone. */
export const RESULTS_MAX = 1_000
/** Characters of JSON that are stored of one result. */
const READ_LENGTH_MAX = 65_536
/** Characters that are stored of one host's raw output. */
const RAW_LENGTH_MAX = 131_072
/** Of the whole scan while it runs. */
const RAW_WAITING_MAX = 4 * RAW_LENGTH_MAX
const KEPT_DAYS = 30

/** What the record of one attempt takes in. What it is given holds no known secrets any more. */
export interface Recorder {
  readonly heard: (answer: RawAnswer) => void
  readonly saw: (ctx: Ctx, batch: readonly Observation[]) => Promise<void>
  /** Raw output without any observation is stored too, because that is when somebody needs to read it. */
  readonly end: (ctx: Ctx) => Promise<void>
}

export function openRecorder(scanId: string): Recorder {
  const waiting = new Map<string, RawAnswer[]>()
  let waitingLength = 0
  let count = 0
  const taken = (host: string): RawAnswer[] => {
    const raw = waiting.get(host) ?? []
    waiting.delete(host)
    waitingLength -= lengthOf(raw)
    return raw
  }
  return {
    heard(answer) {
      const before = waiting.get(answer.address) ?? []
      const room = Math.min(RAW_LENGTH_MAX - lengthOf(before), RAW_WAITING_MAX - waitingLength)
      if (room <= 0) return
      const text = answer.text.slice(0, room)
      waitingLength += text.length
      waiting.set(answer.address, [...before, { ...answer, text }])
    },
    async saw(ctx, batch) {
      const kept = batch.slice(0, RESULTS_MAX - count)
      count += kept.length
      const rows = kept.map((it) => {
        const host = hostOf(it)
        const { value, isCut } = truncateResult({ ...it }, READ_LENGTH_MAX)
        return { host, name: it.name ?? host, read: value, isCut, raw: taken(host) }
      })
      await store.add(ctx, scanId, rows)
    },
    async end(ctx) {
      const hosts = [...waiting.keys()].slice(0, RESULTS_MAX)
      const rows = hosts.map((host) => ({ host, name: host, read: null, isCut: false, raw: taken(host) }))
      await store.add(ctx, scanId, rows)
    },
  }
}

/** In the order in which they were seen. */
export async function listResults(ctx: Ctx, scanId: string, page: Page): Promise<Listed<ScanResult>> {
  permit(ctx, 'scans:read')
  if (!isUuid(scanId) || !(await store.isScan(ctx, scanId))) throw notFound('scan')
  return store.results(ctx, scanId, page)
}

/** Begins anew with the scan. */
export const forgetResults = (ctx: Ctx, scanId: string): Promise<void> => store.remove(ctx, scanId)

export const removeOldResults = (system: Ctx): Promise<void> => store.removeOld(system, KEPT_DAYS)

const lengthOf = (raw: readonly RawAnswer[]): number => raw.reduce((sum, it) => sum + it.text.length, 0)

function hostOf({ identifiers, sourceKey }: Observation): string {
  const of = (type: string) => identifiers.find((it) => it.type === type)?.value
  return of('ip') ?? of('hostname') ?? sourceKey
}
