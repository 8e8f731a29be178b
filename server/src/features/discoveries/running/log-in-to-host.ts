import type { Observation } from '#features/assets/observation.ts'
import { addScanOfRun, offerFor, openPortsOfRun, runScanOfRun } from '#features/scans/scans.ts'
import type { Scan } from '#features/scans/scan.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import {
  hostOutcomes,
  loginTypes,
  type DiscoveryHost,
  type Hints,
  type HostOutcome,
  type Login,
  type LoginType,
  type Seen,
} from '../discovery.ts'
import * as hostStore from '../host-store.ts'
import * as store from '../run-store.ts'
import { judgeBearing } from './bearing.ts'
import { reasonNotToAsk, unsweptPorts } from './plan-logins.ts'
import type { Attempt } from './attempt.ts'
import { seenOf } from './seen.ts'

/** What is known of the host, and grows with each login. */
interface Visit {
  readonly host: DiscoveryHost
  readonly logins: Login[]
  seen: Seen
  hints: Hints
  /** It answered something since the logins began. */
  hasAnswered: boolean
}

/**
 * Tries the kinds of logins of the run on one host, one after the other, each as a scan of its own. Of a host that an
 * earlier attempt began, what is finished is not repeated. Once the run pauses no further login begins, and the host
 * stays for the next attempt. Where the governor stopped nothing more is asked.
 */
export async function logInToHost(ctx: Ctx, attempt: Attempt, host: DiscoveryHost): Promise<void> {
  const { run, pause, governor } = attempt
  const visit: Visit = {
    host,
    logins: [...host.logins],
    seen: host.seen,
    hints: host.hints,
    hasAnswered: false,
  }
  for (const type of loginTypes) {
    if (!run.types.includes(type)) continue
    const at = visit.logins.findIndex((it) => it.type === type)
    if (visit.logins[at]?.outcome !== undefined) continue
    const begun = visit.logins[at]?.scanId
    if (begun === undefined && pause.aborted) return
    const stop = begun === undefined ? governor.stopFor(host.address) : undefined
    if (stop !== undefined) {
      visit.logins.push({ type, outcome: 'not_asked', message: `stopped: ${stop}` })
      continue
    }
    const scanId = begun ?? (await beginLogin(ctx, attempt, visit, type))
    if (scanId === undefined) continue
    await finishLogin(ctx, attempt, visit, { type, scanId })
  }
  const keys = await assetsOfKeys(ctx, { kind: 'sweep', name: SWEEP }, [host.sourceKey])
  const outcome = outcomeOf(visit.logins)
  await hostStore.endHost(ctx, run.id, host.address, {
    outcome,
    why: whyOf(outcome, visit.logins),
    logins: visit.logins,
    seen: visit.seen,
    name: visit.seen.name ?? host.name,
    assetId: keys.get(host.sourceKey) ?? null,
  })
}

/** The name of sweeps as a source. */
const SWEEP = 'Network sweep'

/** Undefined when nothing is to be asked: the reason then stands among the logins. */
async function beginLogin(
  ctx: Ctx,
  { run, signal, sweepScanId, targetIdOf }: Attempt,
  visit: Visit,
  type: LoginType,
): Promise<string | undefined> {
  const { hints, logins } = visit
  const { address } = visit.host
  const targetId = targetIdOf(address)
  const { lack, ports } = await offerFor(ctx, { type, address, targetId })
  const isIn = logins.some((it) => it.outcome === 'logged_in')
  const known = { hints, ports, isIn }
  const unasked = reasonNotToAsk(type, known) === undefined || lack !== undefined ? [] : unsweptPorts[type]
  const opened = await openPortsOfRun(ctx, sweepScanId, { address, ports: unasked, targetId }, signal)
  const reason = reasonNotToAsk(type, { ...known, opened }) ?? lack
  if (reason !== undefined) {
    logins.push({ type, outcome: 'not_asked', message: reason })
    return undefined
  }
  return atomically(ctx, async (inner) => {
    if (!(await store.hold(inner, run))) throw new Error('the run is over')
    const looksAt = { entries: [address], exclusions: [] }
    const { startedBy, id: runId, name, cause } = run
    const { id } = await addScanOfRun(inner, {
      type,
      targetId,
      looksAt,
      startedBy,
      run: { id: runId, name, cause },
    })
    logins.push({ type, scanId: id, message: '' })
    await hostStore.noteLogins(inner, run.id, address, visit)
    return id
  })
}

async function finishLogin(
  ctx: Ctx,
  attempt: Attempt,
  visit: Visit,
  { type, scanId }: { readonly type: LoginType; readonly scanId: string },
): Promise<void> {
  const { run, signal } = attempt
  const { address } = visit.host
  let isRefused = false
  const scan = await runScanOfRun(ctx, scanId, signal, {
    onOutcome(outcome) {
      isRefused ||= outcome === 'refused'
      visit.hasAnswered ||= outcome !== 'unanswered'
    },
    onAnswer: () => void (visit.hasAnswered = true),
    async onSeen(inner, observations) {
      visit.hasAnswered = true
      note(visit, observations)
      await hostStore.noteLogins(inner, run.id, address, visit)
    },
  })
  const login: Login = {
    type,
    scanId,
    outcome: scanOutcome(scan, isRefused),
    message: scan?.message ?? 'its scan is gone',
  }
  visit.logins.splice(
    visit.logins.findIndex((it) => it.type === type),
    1,
    login,
  )
  await hostStore.noteLogins(ctx, run.id, address, visit)
  const { hints, hasAnswered } = visit
  await judgeBearing(ctx, attempt, { address, ports: hints.ports, hasAnswered }, login)
}

/** Of what a login reports only the host itself: a hypervisor reports its guests too. */
function note(visit: Visit, observations: readonly Observation[]): void {
  const { address } = visit.host
  const own = observations.find(({ identifiers }) =>
    identifiers.some(({ type, value }) => type === 'ip' && value === address),
  )
  const { ports: _, ...seen } = own ? seenOf(own) : {}
  visit.seen = { ...visit.seen, ...seen }
  if (own?.assetType === 'hypervisor') visit.hints = { ...visit.hints, isHypervisor: true }
}

function scanOutcome(scan: Scan | undefined, isRefused: boolean): HostOutcome {
  if (scan?.status === 'completed') return 'logged_in'
  return isRefused ? 'refused' : 'unanswered'
}

/** The first of `hostOutcomes` that one of the logins has. */
const outcomeOf = (logins: readonly Login[]): HostOutcome =>
  hostOutcomes.find((outcome) => logins.some((it) => it.outcome === outcome)) ?? 'not_asked'

const NO_TYPES = 'the discovery logs in by no kind of scan'

function whyOf(outcome: HostOutcome, logins: readonly Login[]): string {
  if (outcome === 'logged_in') return ''
  const of = logins.filter((it) => it.outcome === outcome)
  return of.length === 0 ? NO_TYPES : of.map(({ type, message }) => `${type}: ${message}`).join('; ')
}
