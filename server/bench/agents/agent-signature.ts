import { join } from 'node:path'
import type { KeyObject } from 'node:crypto'

/** The agent's own signing, which is no part of the server. */
export const AGENT_SIGNATURE: string = join(import.meta.dirname, '../../../agent/src/wire/signature.ts')

interface Key {
  readonly seed: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: Buffer
  readonly keyId: string
}

export interface AgentSignature {
  readonly newKey: () => Key
  readonly keyFrom: (seed: Buffer) => Key
  readonly signatureHeaders: (
    key: Key,
    request: { path: string; body: Buffer; counter: number; created: number },
  ) => Record<string, string>
}
