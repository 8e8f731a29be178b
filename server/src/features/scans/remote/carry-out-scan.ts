import type { OpenedAnswer } from '#features/collectors/process/assigned-work.ts'
import { openedCredential, openRedactor, secretsOf } from '#features/credentials/credentials.ts'
import type { LentCredential } from '#features/credentials/encryption/collector-secret.ts'
import type { Redactor } from '#features/credentials/lending/secret-redaction.ts'
import { batchesFrom } from '#platform/batches.ts'
import { probes } from '../probes/all.ts'
import type { Access, Credential, HostKeyVerdict } from '../probes/credential-access.ts'
import { Governor } from '../probes/governor/governor.ts'
import { ProbeFailure, type Probe, type Progress } from '../probes/probe.ts'
import { TouchCounter, type Touch } from '../probes/touches/touch-counter.ts'
import type { AccessQuestion, RemoteEnd, RemoteMessage, RemoteScan } from './remote-scan.ts'

const BATCH = { sizeMax: 100, waitMs: 250 }
const PIECE_CHARACTERS = 250_000
const PROGRESS_EVERY_MS = 500
const TOUCHES_EVERY_MS = 1_000
/** How long connections may take to be closed at the end of a scan. */
const CLOSE_MS = 3_000

/** The way to the server that gave the work. */
export interface WayToServer {
  readonly signal: AbortSignal
  say(message: RemoteMessage): Promise<void>
  /** What can be missed. */
  offer(message: RemoteMessage): void
  ask(question: AccessQuestion): Promise<OpenedAnswer>
  /** Of what was encrypted for this collector. */
  decrypt(encrypted: string): Promise<string>
}

/** In a collector: runs the probe that the work names, and says what it sees. Does not throw. */
export async function carryOutScan(
  work: unknown,
  way: WayToServer,
  shelf: readonly Probe[] = probes,
): Promise<void> {
  const redactor = openRedactor()
  const touches = new TouchCounter(() => new Date())
  const sayTouches = async (taken: readonly Touch[]): Promise<void> => {
    if (taken.length === 0) return
    const told = taken.map((it) => ({ ...it, beganAt: it.beganAt.toISOString() }))
    await way.say({ kind: 'touches', touches: told })
  }
  const timer = setInterval(() => void sayTouches(touches.take()), TOUCHES_EVERY_MS)
  try {
    try {
      await scan(work as RemoteScan, way, { redactor, touches, shelf })
    } finally {
      await sayTouches(await touches.takeAll(CLOSE_MS))
    }
    await way.say({ kind: 'end' })
  } catch (thrown) {
    if (way.signal.aborted) return
    const error = redactor.error(thrown)
    const message = error instanceof Error ? error.message : String(error)
    const end: RemoteEnd = { kind: 'end', failure: { message, isFinal: thrown instanceof ProbeFailure } }
    await way.say(end)
  } finally {
    clearInterval(timer)
  }
}

interface Scanning {
  readonly redactor: Redactor
  readonly touches: TouchCounter
  readonly shelf: readonly Probe[]
}

async function scan(
  { type, target, settled, known, stops, industrialReads }: RemoteScan,
  way: WayToServer,
  { redactor, touches, shelf }: Scanning,
): Promise<void> {
  const probe = shelf.find((it) => it.type === type)
  if (!probe)
    throw new ProbeFailure(`the collector has no ${type} scans; run it in the version of the server`)
  const knownAddresses = new Set(known)
  const seen = probe.run(target, {
    signal: way.signal,
    now: () => new Date(),
    onProgress: sparingly((progress) => way.offer({ kind: 'progress', progress })),
    onRaw: (raw) => way.offer({ kind: 'raw', raw: { ...raw, text: redactor.text(raw.text) } }),
    touches,
    governor: new Governor(stops),
    ...(industrialReads && { industrialReads }),
    access: accessOver(way, { redactor, touches }),
    ...(settled !== undefined && { settled }),
    ...(known && { isKnown: (address) => knownAddresses.has(address) }),
  })
  for await (const batch of batchesFrom(seen, BATCH))
    for (const observations of inPieces(redactor.value(batch)))
      await way.say({ kind: 'observations', observations })
}

/** Each small enough for one request, unless one observation is larger by itself. */
function inPieces<T>(batch: readonly T[]): T[][] {
  const pieces: T[][] = []
  let room = 0
  for (const it of batch) {
    const { length } = JSON.stringify(it)
    const piece = pieces.at(-1)
    if (piece && length <= room) piece.push(it)
    else {
      pieces.push([it])
      room = PIECE_CHARACTERS
    }
    room -= length
  }
  return pieces
}

/** The latest, twice a second; the last one at once. */
function sparingly(say: (progress: Progress) => void): (progress: Progress) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const isLast = progress.done >= progress.total
    if (!isLast && performance.now() - saidAt < PROGRESS_EVERY_MS) return
    saidAt = performance.now()
    say(progress)
  }
}

/** The server judges and writes down; what it lends is opened here. */
function accessOver(way: WayToServer, { redactor, touches }: Pick<Scanning, 'redactor' | 'touches'>): Access {
  return {
    touches,
    async credentialsFor(address, kinds) {
      const { secret = '[]' } = await way.ask({ kind: 'credentials_for', address, kinds })
      const answered = JSON.parse(secret) as LentCredential[]
      const lent = await Promise.all(answered.map((it) => wholeCredential(it, address, way)))
      for (const credential of lent) for (const it of secretsOf(credential)) redactor.learn(it)
      return lent
    },
    async recordOutcome({ id: credentialId }, address, outcome) {
      await way.ask({ kind: 'record_outcome', credentialId, address, outcome })
    },
    async knowHostKey(host, { id: credentialId }) {
      return (await way.ask({ kind: 'know_host_key', host, credentialId })).value as HostKeyVerdict
    },
    async knownAlgorithms(address, port) {
      return (await way.ask({ kind: 'known_algorithms', address, port })).value as string[]
    },
  }
}

/** A secret that this collector cannot open, or that was entered for other hosts, ends the scan. */
const wholeCredential = (lent: LentCredential, address: string, way: WayToServer): Promise<Credential> =>
  openedCredential(lent, address, (it) => way.decrypt(it)).catch((error: Error) => {
    throw new ProbeFailure(error.message)
  })
