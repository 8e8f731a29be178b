import type { Observation } from '#features/assets/observation.ts'
import { parseNetwork } from '../targets/ip-network.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { rangeOf } from './target/target-addresses.ts'
import { learnPorts, scanHost, type HostScanContext, type HostScanResult } from './ssh/scan-host.ts'
import { USUAL_LIMITS, type Limits } from './ssh/timeouts-and-limits.ts'
import type { HostFailure } from './ssh/connection/host-failure.ts'
import { concurrencyLimit } from './sweep/concurrency-limit.ts'
import { concurrently } from './sweep/concurrency.ts'
import { ScanProgress } from './sweep/sweep-progress.ts'

/**
 * Logs in to hosts over SSH and reads what they are: Unix by its own commands in one batch that writes nothing,
 * network devices by their command line. The host key is verified before any password is sent.
 */
export const ssh: Probe = sshWithin(USUAL_LIMITS)

/** The probe with limits of the caller's, for tests. */
export function sshWithin(limits: Limits): Probe {
  return {
    type: 'ssh',
    title: 'SSH',
    accepts(target) {
      if (target.kind === 'range') return 'ssh looks at one host or one network'
      const range = target.kind === 'cidr' ? parseNetwork(target.cidr) : true
      return typeof range === 'string' ? range : true
    },
    run: (target, options) => run(target, options, limits),
  }
}

/** Addresses that are probed at the same time. */
const CONCURRENT_ADDRESSES = 256
/** Hosts with an open session at the same time: each may take up to 10 MB of memory while its output is read. */
const CONCURRENT_HOSTS = 32

async function* run(target: ProbeTarget, options: ProbeOptions, limits: Limits): AsyncGenerator<Observation> {
  const { access, now, onRaw = () => undefined } = options
  if (!access) throw new ProbeFailure('an ssh scan needs credentials; add one that covers the target')
  options.signal.throwIfAborted()
  const range = await rangeOf(target)
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  const means: HostScanContext = {
    access,
    now,
    onRaw,
    signal,
    limits,
    isOne: range.size === 1,
    limit: concurrencyLimit(CONCURRENT_HOSTS),
    ports: new Set(),
  }
  const scanProgress = new ScanProgress(range.size, options.onProgress)
  options.onProgress?.(scanProgress.progress)
  const failures: HostFailure[] = []
  const scanAddress = async (address: string): Promise<HostScanResult> => {
    const result = await scanHost(address, means)
    scanProgress.hostDone(result.failure === undefined)
    return result
  }
  try {
    if (!means.isOne) await learnPorts(range.ends[0], means)
    for await (const { seen, failure } of concurrently(
      range.addresses(),
      CONCURRENT_ADDRESSES,
      scanAddress,
    )) {
      if (seen) yield seen
      if (failure) failures.push(failure)
    }
    const failure = rangeFailure(failures, range.size)
    if (failure) throw failure
  } finally {
    ended.abort()
  }
}

const REASONS_MAX = 5

/**
 * The failure of the whole scan. Of a single host its own failure. Of a range: hosts whose key has changed, always; other
 * failures only if no login succeeded, because they are also stored with each host.
 */
function rangeFailure(failures: readonly HostFailure[], size: number): ProbeFailure | undefined {
  const [first] = failures
  if (size === 1 || first === undefined) return first
  const changed = failures.filter(({ kind }) => kind === 'key')
  if (changed.length > 0) return new ProbeFailure(summary(changed))
  if (failures.length < size) return undefined
  const present = failures.filter(({ kind }) => kind !== 'absent')
  if (present.length > 0) return new ProbeFailure(`no host let us in. ${summary(present)}`)
  return new ProbeFailure(`no host of ${size} answers on SSH; the first: ${first.message}`)
}

function summary(failures: readonly HostFailure[]): string {
  const reasons = failures.slice(0, REASONS_MAX).map(({ message }) => message)
  const more = failures.length - reasons.length
  return `${reasons.join('. ')}${more > 0 ? `. And ${more} more` : ''}`
}
