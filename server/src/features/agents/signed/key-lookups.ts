import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import { keysOf, type AgentKey } from './agent-key-store.ts'

/** How many keys one statement looks up. */
const TOGETHER_MAX = 500
/** How long it is from one statement to the next; a request that comes alone does not wait. */
const EVERY_MS = 10

/**
 * Finds the keys of requests as they are now. Those that arrive soon after a statement was begun, or while it is under way,
 * are asked for together by the next: each is a transaction, and a hundred of them a second serve any number of reports.
 */
export interface KeyLookups extends AsyncDisposable {
  /** In any tenant; undefined when nobody has it. */
  readonly keyOf: (system: Ctx, keyId: Buffer) => Promise<AgentKey | undefined>
}

interface Waiting {
  readonly keyId: Buffer
  readonly resolve: (key: AgentKey | undefined) => void
  readonly reject: (error: unknown) => void
}

export function openKeyLookups(): KeyLookups {
  const waiting: Waiting[] = []
  let working: Promise<void> | undefined
  let begunAt = -Infinity

  const work = async (system: Ctx): Promise<void> => {
    while (waiting.length > 0) {
      const gatherMs = begunAt + EVERY_MS - performance.now()
      if (waiting.length < TOGETHER_MAX && gatherMs > 0) await sleep(gatherMs)
      begunAt = performance.now()
      await answer(system, waiting.splice(0, TOGETHER_MAX))
    }
    working = undefined
  }
  return {
    keyOf: (system, keyId) =>
      new Promise((resolve, reject) => {
        waiting.push({ keyId, resolve, reject })
        working ??= work(system)
      }),
    async [Symbol.asyncDispose]() {
      await working
    },
  }
}

async function answer(system: Ctx, asked: readonly Waiting[]): Promise<void> {
  try {
    const found = await keysOf(
      system,
      asked.map(({ keyId }) => keyId),
    )
    const keys = new Map(found.map((it) => [it.keyId.toString('hex'), it]))
    for (const { keyId, resolve } of asked) resolve(keys.get(keyId.toString('hex')))
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}
