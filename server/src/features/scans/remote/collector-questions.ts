import { record } from '#features/audit/audit.ts'
import type { Assignment } from '#features/collectors/collectors.ts'
import type { Ctx } from '#platform/context.ts'
import type { LentCredential } from '#features/credentials/encryption/collector-secret.ts'
import type { Lending } from '#features/credentials/lending/lending.ts'
import type { Access } from '../probes/credential-access.ts'
import { ProbeFailure } from '../probes/probe.ts'
import { credentialKindsOf } from '../running/credentials-for-scan.ts'
import type { ScanType } from '../scan-status.ts'
import type { AccessQuestion } from './remote-scan.ts'

/** Of one scan; a login asks one after the other, and a discovery scans hosts by scans of their own. */
const OPEN_MAX = 100

export interface RemoteAccess {
  readonly type: ScanType
  readonly access: Access | undefined
  readonly lend: Lending['credentialsForCollector']
}

/**
 * Answers what a collector asks for one scan. It is lent the kinds of credentials that such a scan shows and no others, and
 * is heard about hosts that it was lent a credential for.
 */
export class CollectorQuestions {
  readonly #ctx: Ctx
  readonly #assignment: Assignment
  readonly #scan: RemoteAccess
  /** By address, then by id. */
  readonly #lent = new Map<string, Map<string, LentCredential>>()
  #open = 0

  constructor(ctx: Ctx, assignment: Assignment, scan: RemoteAccess) {
    this.#ctx = ctx
    this.#assignment = assignment
    this.#scan = scan
  }

  async answer(number: number, question: AccessQuestion): Promise<void> {
    if (this.#open >= OPEN_MAX) throw new ProbeFailure('the collector asks too many questions at once')
    this.#open += 1
    try {
      await this.#answer(number, question)
    } finally {
      this.#open -= 1
    }
  }

  async #answer(number: number, question: AccessQuestion): Promise<void> {
    const { access } = this.#scan
    if (question.kind === 'credentials_for') return this.#lend(number, question)
    if (question.kind === 'known_algorithms') {
      const known = await access?.knownAlgorithms?.(question.address, question.port)
      return this.#assignment.answer(number, known ?? [])
    }
    const address = question.kind === 'know_host_key' ? question.host.address : question.address
    const lent = this.#lent.get(address)
    if (!access || !lent)
      throw new ProbeFailure(`the collector asks about ${address}, where it was lent nothing`)
    const credential = lentOf(lent, question.credentialId)
    if (question.kind === 'know_host_key')
      return this.#assignment.answer(number, await access.knowHostKey(question.host, credential))
    await access.recordOutcome(credential, address, question.outcome)
    await this.#assignment.answer(number, null)
  }

  async #lend(
    number: number,
    { address, kinds }: Extract<AccessQuestion, { readonly kind: 'credentials_for' }>,
  ): Promise<void> {
    const { type, lend } = this.#scan
    const shown = credentialKindsOf[type].filter((it) => kinds.includes(it))
    const credentials = await lend(this.#assignment.collector.id, address, shown)
    const before = this.#lent.get(address)
    const lent = new Map(before)
    this.#lent.set(address, lent)
    for (const it of credentials) {
      lent.set(it.id, it)
      if (!before?.has(it.id)) await this.#note(it, address)
    }
    await this.#assignment.answer(number, null, JSON.stringify(credentials))
  }

  async #note({ id, name }: LentCredential, address: string): Promise<void> {
    const { id: collectorId, name: collector } = this.#assignment.collector
    await record(
      this.#ctx,
      'credential.lent',
      { type: 'credential', id },
      { name, address, collector, collectorId },
    )
  }
}

function lentOf(lent: ReadonlyMap<string, LentCredential>, id: string): LentCredential {
  const found = lent.get(id)
  if (!found) throw new ProbeFailure('the collector tells of a credential that it was not lent')
  return found
}
