import type { Ctx } from '#platform/context.ts'
import { keysOf, type AgentKey } from './agent-key-store.ts'

/** In one statement. */
const TOGETHER_MAX = 500

/**
 * Finds the keys of requests as they are now. Those that arrive while a statement is under way are asked for together by
 * the next, so that a thousand reports a second cost a few statements more than ten.
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

  const work = async (system: Ctx): Promise<void> => {
    while (waiting.length > 0) await answer(system, waiting.splice(0, TOGETHER_MAX))
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
