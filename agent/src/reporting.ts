import { collect, type Collected } from './collecting/collect.ts'
import type { Machine } from './collecting/machine.ts'
import { fingerprintOf } from './fingerprint.ts'
import { textIn, type Json, type JsonObject } from './json.ts'
import { afterFailure, afterSuccess } from './state/schedule.ts'
import {
  readProgress,
  writeIdentity,
  writeProgress,
  type Identity,
  type Progress,
} from './state/agent-state.ts'
import { VERSION } from './version.ts'
import { sectionHash } from './wire/canonical-json.ts'
import { newKey, rekeyProof } from './wire/signature.ts'
import { SignedCalls } from './wire/signed-calls.ts'

export interface Round {
  readonly isAccepted: boolean
  /** For people: what was sent, or why not. */
  readonly message: string
  readonly problems: readonly string[]
}

/** Collects everything, sends what the server does not have yet, and writes down what it has now. */
export async function report(folder: string, identity: Identity, machine: Machine): Promise<Round> {
  const progress = readProgress(folder)
  const collected = await collect(machine)
  const calls = new SignedCalls(folder, identity, progress)
  try {
    const settled = await finishRekey(folder, identity, calls, collected)
    const accepted = await sendReport(calls, progress, collected, await bootId(machine))
    if (accepted.order === 'rekey') await rekey(folder, settled, calls, collected)
    const { problems } = collected
    writeProgress(
      folder,
      afterSuccess(calls.progress(accepted.acknowledged), accepted.nextInSeconds, settled.key),
    )
    return { isAccepted: true, message: accepted.message, problems }
  } catch (error) {
    writeProgress(folder, afterFailure(calls.progress(progress.acknowledged), error))
    const message = error instanceof Error ? error.message : String(error)
    return { isAccepted: false, message, problems: collected.problems }
  }
}

const bootId = async (machine: Machine): Promise<string> =>
  (await machine.read('/proc/sys/kernel/random/boot_id'))?.trim() ?? ''

interface Accepted {
  readonly acknowledged: Readonly<Record<string, string>>
  readonly nextInSeconds: number
  readonly order: string
  readonly message: string
}

/** Sections that the server says it lacks follow in a second report. */
async function sendReport(
  calls: SignedCalls,
  progress: Progress,
  { sections, failed }: Collected,
  boot: string,
): Promise<Accepted> {
  const all = Object.entries(sections as Readonly<Record<string, Json>>)
  const hashes = Object.fromEntries(all.map(([name, section]) => [name, sectionHash(section)]))
  const known = Date.now() >= progress.fullAt ? {} : progress.acknowledged
  let due = new Set(Object.keys(hashes).filter((name) => hashes[name] !== known[name]))
  const sent = new Set(due)
  const message = (): JsonObject => ({
    v: 1,
    version: VERSION,
    boot_id: boot,
    fingerprint: fingerprintOf(sections),
    sections: hashes,
    changed: Object.fromEntries(all.filter(([name]) => due.has(name))),
    failed: [...failed],
    spooled: progress.failures,
  })
  let { body } = await calls.call('report', message())
  const wanted = textsIn(body['want']).filter((name) => name in hashes && !due.has(name))
  if (wanted.length > 0) {
    due = new Set(wanted)
    for (const name of wanted) sent.add(name)
    body = (await calls.call('report', message())).body
  }
  const summary = sent.size === 0 ? 'nothing changed' : `sent ${[...sent].join(', ')}`
  return {
    acknowledged: hashes,
    nextInSeconds: Number(body['next_in']),
    order: textIn(body['order']),
    message: summary,
  }
}

/** A key that the server may have taken is sent until it answers; the old one is given up after that. */
async function finishRekey(
  folder: string,
  identity: Identity,
  calls: SignedCalls,
  collected: Collected,
): Promise<Identity> {
  return identity.nextKey ? rekey(folder, identity, calls, collected) : identity
}

async function rekey(
  folder: string,
  identity: Identity,
  calls: SignedCalls,
  { sections }: Collected,
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
