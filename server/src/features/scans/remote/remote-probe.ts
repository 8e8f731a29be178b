import type { Observation } from '#features/assets/observation.ts'
import { assign, type Capable } from '#features/collectors/collectors.ts'
import type { Lending } from '#features/credentials/lending/lending.ts'
import type { Ctx } from '#platform/context.ts'
import {
  ProbeFailure,
  type Probe,
  type ProbeOptions,
  type ProbeTarget,
  type Progress,
} from '../probes/probe.ts'
import { observationIn, readMessage } from './read-message.ts'
import { CollectorQuestions } from './collector-questions.ts'
import type { RemoteScan } from './remote-scan.ts'

export interface RemotePlace {
  readonly scanId: string
  /** The collectors that may carry out the scan of a target. */
  readonly capable: (target: ProbeTarget) => Promise<Capable>
  /** What one of them may show to an address. */
  readonly lend: Lending['credentialsForCollector']
  /** Addresses that an earlier attempt has told of. */
  readonly known?: Iterable<string>
}

/**
 * The probe, carried out by one of the collectors in place of this process: packets leave there, and credentials are
 * judged, lent and logged here. An attempt whose collector is lost throws `CollectorLost`.
 */
export const remoteProbe = (ctx: Ctx, probe: Probe, place: RemotePlace): Probe => ({
  ...probe,
  run: (target, options) => runRemotely(ctx, { probe, place, target }, options),
})

interface Remote {
  readonly probe: Probe
  readonly place: RemotePlace
  readonly target: ProbeTarget
}

async function* runRemotely(
  ctx: Ctx,
  { probe: { type }, place, target }: Remote,
  options: ProbeOptions,
): AsyncGenerator<Observation> {
  const { scanId, capable } = place
  const { signal, onRaw, access, touches, governor } = options
  const work = workOf(type, target, place, options)
  const onProgress = (progress: Progress): void => {
    governor?.learn((progress.stops ?? []).filter(({ isHarm }) => isHarm))
    options.onProgress?.(progress)
  }
  const failing = new AbortController()
  const assignment = await assign(
    ctx,
    await capable(target),
    { subject: scanId, work },
    AbortSignal.any([signal, failing.signal]),
  )
  const questions = new CollectorQuestions(ctx, assignment, { type, access, lend: place.lend })
  try {
    for await (const { number, body } of assignment.messages()) {
      const message = readMessage(body)
      switch (message.kind) {
        case 'observations':
          yield* message.observations.map(observationIn)
          break
        case 'raw':
          onRaw?.(message.raw)
          break
        case 'progress':
          onProgress(message.progress)
          break
        case 'touches':
          for (const it of message.touches) touches?.add({ ...it, beganAt: new Date(it.beganAt) })
          break
        case 'end':
          return throwIfFailed(message.failure)
        case 'credentials_for':
        case 'record_outcome':
        case 'know_host_key':
        case 'known_algorithms':
          // not waited for: one question may take as long as another scan holds a credential
          void questions.answer(number, message).catch((error: unknown) => failing.abort(error))
      }
    }
  } finally {
    await assignment.close()
  }
}

const workOf = (
  type: RemoteScan['type'],
  target: ProbeTarget,
  { known }: RemotePlace,
  { settled, governor, industrialReads }: ProbeOptions,
): RemoteScan => ({
  type,
  target,
  ...(settled !== undefined && { settled }),
  ...(known && { known: [...known] }),
  ...(governor && { stops: governor.harm }),
  ...(industrialReads && { industrialReads }),
})

function throwIfFailed(failure: { readonly message: string; readonly isFinal: boolean } | undefined): void {
  if (failure?.isFinal) throw new ProbeFailure(failure.message)
  if (failure) throw new Error(failure.message)
}
