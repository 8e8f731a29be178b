import type { Machine } from './collecting/machine.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readInventory, withSections, type Inventory } from './inventory.ts'
import { textIn, type JsonObject } from './json.ts'
import { keepSoftware, softwareChanges } from './software-changes.ts'
import { afterFailure, afterSuccess } from './state/schedule.ts'
import {
  readProgress,
  writeIdentity,
  writeProgress,
  type Identity,
  type Progress,
} from './state/agent-state.ts'
import { platformOf } from './update/platform.ts'
import { ownRoots } from './update/signed-release.ts'
import { noteRound, takenBackToTell } from './update/update-state.ts'
import { VERSION } from './version.ts'
import { newKey, rekeyProof } from './wire/signature.ts'
import { SignedCalls } from './wire/signed-calls.ts'

export interface Round {
  readonly isAccepted: boolean
  /** For people: what was sent, or why not. */
  readonly message: string
  readonly problems: readonly string[]
}

/** Reads the host, sends what the server does not have yet, and writes down what it has now. */
export async function report(folder: string, identity: Identity, machine: Machine): Promise<Round> {
  const stored = readProgress(folder)
  const isFull = Date.now() >= stored.fullAt
  const progress = isFull ? { ...stored, acknowledged: {} } : stored
  const inventory = await readInventory(machine, progress)
  const { problems } = inventory
  const calls = new SignedCalls(folder, identity, progress)
  try {
    const settled = await finishRekey(folder, identity, calls, inventory)
    const about = { boot_id: await bootId(machine), ...updatable(folder, machine) }
    const accepted = await sendReport({ folder, machine, calls, progress, inventory, about })
    if (accepted.order === 'rekey') await rekey(folder, settled, calls, inventory)
    const done = await updated(accepted, problems, async () => {
      const { applyUpdate } = await import('./update/apply.ts')
      return applyUpdate({ folder, release: accepted.update }, calls, machine)
    })
    const known = { ...calls.progress(accepted.acknowledged), stamps: inventory.stamps }
    writeProgress(folder, afterSuccess(known, accepted.nextInSeconds, settled.key))
    noteRound(folder, VERSION, true)
    return { isAccepted: true, ...done }
  } catch (error) {
    noteRound(folder, VERSION, false)
    writeProgress(folder, afterFailure(calls.progress(stored.acknowledged), error))
    return { isAccepted: false, message: error instanceof Error ? error.message : String(error), problems }
  }
}

/** Said by an agent that has roots to check releases with. */
function updatable(folder: string, machine: Machine): JsonObject {
  const takenBack = takenBackToTell(folder)
  return ownRoots().length === 0
    ? {}
    : { platform: platformOf(machine), ...(takenBack !== undefined && { update_taken_back: takenBack }) }
}

const bootId = async (machine: Machine): Promise<string> =>
  (await machine.read('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''

interface Accepted {
  readonly acknowledged: Readonly<Record<string, string>>
  readonly nextInSeconds: number
  readonly order: string
  /** A release that the server offers. */
  readonly update: unknown
  readonly message: string
}

/** The report is accepted whatever becomes of the update. */
async function updated(
  { update, message }: Accepted,
  problems: readonly string[],
  apply: () => Promise<string | undefined>,
): Promise<Pick<Round, 'message' | 'problems'>> {
  if (update === undefined) return { message, problems }
  try {
    const version = await apply()
    const next = version === undefined ? '' : `; the next report comes from version ${version}`
    return { message: `${message}${next}`, problems }
  } catch (error) {
    return { message, problems: [...problems, error instanceof Error ? error.message : String(error)] }
  }
}

interface Sending {
  readonly folder: string
  readonly machine: Machine
  readonly calls: SignedCalls
  readonly progress: Progress
  readonly inventory: Inventory
  readonly about: JsonObject
}

/** Sections that the server says it lacks follow in a second report. */
async function sendReport(sending: Sending): Promise<Accepted> {
  const { folder, machine, calls, progress } = sending
  let { inventory } = sending
  const known = progress.acknowledged
  let due = Object.keys(inventory.hashes).filter((name) => inventory.hashes[name] !== known[name])
  const sent = new Set(due)
  // the server reads the list by the release of the system
  const changes = due.includes('software') && !due.includes('os') ? changesIn(sending) : undefined
  const whole = changes ? due.filter((name) => name !== 'software') : due
  let { status, body } = await calls.call('report', messageOf(sending, inventory, whole, changes))
  const answered = () => ({ nextInSeconds: Number(body['next_in']), order: textIn(body['order']) })
  if (status === ACCEPTED_NOT_DONE)
    return { ...answered(), acknowledged: known, update: undefined, message: NOT_APPROVED }
  const wanted = textsIn(body['want']).filter((name) => name in inventory.hashes && !whole.includes(name))
  if (wanted.length > 0) {
    inventory = await withSections(machine, inventory, wanted)
    due = wanted
    for (const name of wanted) sent.add(name)
    body = (await calls.call('report', messageOf(sending, inventory, due))).body
  }
  const { software } = inventory.sections
  const hash = inventory.hashes['software']
  if (software !== undefined && hash !== undefined && sent.has('software'))
    keepSoftware(folder, hash, software)
  const message = sent.size === 0 ? 'nothing changed' : `sent ${[...sent].join(', ')}`
  return { ...answered(), acknowledged: inventory.hashes, update: body['update'], message }
}

const ACCEPTED_NOT_DONE = 202
const NOT_APPROVED = 'nothing was taken, because nobody has approved this host yet'

const changesIn = ({ folder, progress, inventory }: Sending): JsonObject | undefined =>
  softwareChanges(folder, progress.acknowledged['software'], inventory.sections['software'] ?? null)

function messageOf(
  { about, progress }: Sending,
  { sections, hashes, failed }: Inventory,
  due: readonly string[],
  changes?: JsonObject,
): JsonObject {
  return {
    v: 1,
    version: VERSION,
    ...about,
    fingerprint: fingerprintOf(sections),
    sections: hashes,
    changed: Object.fromEntries(Object.entries(sections).filter(([name]) => due.includes(name))),
    ...(changes && { changes: { software: changes } }),
    failed: [...failed],
    spooled: progress.failures,
  }
}

/** A key that the server may have taken is sent until it answers; the old one is given up after that. */
async function finishRekey(
  folder: string,
  identity: Identity,
  calls: SignedCalls,
  inventory: Inventory,
): Promise<Identity> {
  return identity.nextKey ? rekey(folder, identity, calls, inventory) : identity
}

async function rekey(
  folder: string,
  identity: Identity,
  calls: SignedCalls,
  { sections }: Inventory,
): Promise<Identity> {
  const nextKey = identity.nextKey ?? newKey()
  writeIdentity(folder, { ...identity, nextKey })
  const { body } = await calls.call('rekey', {
    v: 1,
    public_key: nextKey.publicKey.toString('base64'),
    proof: rekeyProof(identity.key.keyId, nextKey),
    fingerprint: fingerprintOf(sections),
  })
  const agentId = typeof body['agent_id'] === 'string' ? body['agent_id'] : identity.agentId
  const settled: Identity = { server: identity.server, agentId, key: nextKey }
  writeIdentity(folder, settled)
  calls.use(nextKey)
  return settled
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? (value as unknown[]).filter((it) => typeof it === 'string') : []
