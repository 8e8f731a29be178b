import type { Observation } from '#features/assets/observation.ts'
import type { Access } from './credential-access.ts'
import { addressOf } from './target/resolve-host.ts'
import { ProbeFailure, type ProbeOptions, type ProbeTarget } from './probe.ts'

/** A probe of one host that needs credentials. */
export interface SingleHostProbe {
  /** The error message when the tenant has no credential for this kind of scan. */
  readonly needs: string
  /** The time limit of the whole scan in milliseconds. */
  readonly totalMs: number
  readonly at: (host: Host) => AsyncIterable<Observation>
}

export interface Host {
  readonly address: string
  /** As people call it; the address where they have no name for it. */
  readonly name: string
  readonly access: Access
  readonly signal: AbortSignal
  readonly now: () => Date
  readonly onRaw: (part: string, text: string) => void
}

/** Characters of raw output that are passed on per part. */
const RAW_LENGTH_MAX = 64 * 1_024

/** Runs a probe of one host: resolves the name, enforces the time limit, reports progress of 0 or 1. */
export async function* probeSingleHost(
  target: ProbeTarget,
  options: ProbeOptions,
  { needs, totalMs, at }: SingleHostProbe,
): AsyncGenerator<Observation> {
  const { access, now, onProgress, onRaw } = options
  if (target.kind !== 'host') throw new ProbeFailure('this looks at one host')
  if (!access) throw new ProbeFailure(needs)
  const { host, name = host } = target
  const late = AbortSignal.timeout(totalMs)
  const signal = AbortSignal.any([options.signal, late])
  const progress = (done: number): void =>
    onProgress?.({ done, total: 1, found: done, ratePerSecond: 0, remainingSeconds: 0 })
  progress(0)
  let reported = 0
  try {
    const address = await addressOf(host)
    const reportRaw = (part: string, text: string): void =>
      onRaw?.({ address, part, text: text.slice(0, RAW_LENGTH_MAX).toWellFormed() })
    for await (const seen of at({ address, name, access, signal, now, onRaw: reportRaw })) {
      yield seen
      reported++
    }
    progress(1)
  } catch (error) {
    options.signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new ProbeFailure(
      `given up after ${totalMs / 60_000} minutes; the ${reported} objects that ${name} had told by then are kept`,
    )
  }
}
