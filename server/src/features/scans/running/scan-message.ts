import { isIP } from 'node:net'
import type { Stop } from '../probes/governor/governor.ts'
import type { Progress } from '../probes/probe.ts'
import type { ScanType } from '../scan-status.ts'

/** What an attempt has done so far. */
export interface Findings {
  readonly type: ScanType
  progress?: Progress
  assetCount: number
  rejected: number
  /** What was held back, and whose key has changed. */
  readonly warnings: () => readonly string[]
}

/** The result of a scan in one sentence. A sweep counts addresses, any other scan the objects that its host reported. */
export function summaryOf({ type, progress, assetCount, rejected, warnings }: Findings): string {
  const { done, total, found } = progress ?? { done: 0, total: 0, found: 0 }
  const addresses = done === total ? `${total}` : `${done} of ${total}`
  const seen =
    type === 'sweep'
      ? `${addresses} ${total === 1 ? 'address' : 'addresses'} looked at, ${found} live`
      : `${assetCount} ${assetCount === 1 ? 'asset' : 'assets'} found`
  const said = `${seen}${rejected === 0 ? '' : `, ${rejected} not taken in`}`
  const { unreachable = [], stops = [], slowed, sampledOnly = 0 } = progress ?? {}
  const unseen = unreachable.length > 0 ? [`no route to ${unreachable.join(', ')}`] : []
  return [
    said,
    ...(sampledOnly > 0 ? [sampledText(sampledOnly)] : []),
    ...unseen,
    ...(stops.length > 0 ? [stopsText(stops)] : []),
    ...(slowed === undefined ? [] : [slowed]),
    ...warnings(),
  ].join('; ')
}

const sampledText = (networks: number): string =>
  `${networks} ${networks === 1 ? 'network' : 'networks'} of 256 addresses sampled, not swept`

const STOPS_SAID = 3

const withReason = ({ at, reason }: Stop): string => `${at} (${reason})`

/** Where nothing more was asked, the widest first: three of them, and how many more. */
export function stopsText(stops: readonly Stop[], say: (stop: Stop) => string = withReason): string {
  const wide = stops.filter(({ at }) => isIP(at) === 0)
  const shown = [...wide, ...stops.filter((it) => !wide.includes(it))].slice(0, STOPS_SAID)
  const more = stops.length > shown.length ? [`${stops.length - shown.length} more`] : []
  return `stopped at ${[...shown.map(say), ...more].join(', ')}`
}

/** The reason of a failure, and what was found before; what the reason says already is not said again. */
export function failureOf(findings: Findings, reason: string): string {
  const unsaid = findings.warnings().filter((it) => !reason.includes(it))
  const reported = [reason, ...unsaid].join('; ')
  const isEmpty = findings.type === 'sweep' ? !findings.progress : findings.assetCount === 0
  return isEmpty ? reported : `${reported} (after ${summaryOf({ ...findings, warnings: () => [] })})`
}

export const noteOf = (findings: Findings) => ({
  message: progressOf(findings),
  assetCount: findings.assetCount,
  progress: findings.progress ?? null,
})

function progressOf(findings: Findings): string {
  const { type, progress, assetCount } = findings
  if (!progress && assetCount === 0) return ['starting', ...findings.warnings()].join('; ')
  if (!progress || (type !== 'sweep' && progress.total <= 1)) return `${summaryOf(findings)} so far`
  const { done, total, ratePerSecond, remainingSeconds } = progress
  const seen = type === 'sweep' ? summaryOf(findings) : `${done} of ${total} looked at`
  return `${seen}; ${ratePerSecond} a second, ${remainingSeconds} s left`
}
