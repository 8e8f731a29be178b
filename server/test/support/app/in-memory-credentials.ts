import type {
  Access,
  Credential,
  HostKey,
  Outcome,
} from '../../../src/features/scans/probes/credential-access.ts'

export interface InMemoryAccess extends Access {
  /** Every use, in order. */
  readonly uses: { readonly credential: string; readonly address: string; readonly outcome: Outcome }[]
  readonly keys: Map<string, string>
}

/** Credentials for every address, and host keys pinned at first sight, as the vault does it. */
export function inMemoryAccess(...credentials: readonly Credential[]): InMemoryAccess {
  const keys = new Map<string, string>()
  const uses: InMemoryAccess['uses'] = []
  return {
    uses,
    keys,
    credentialsFor: (_, kinds) =>
      Promise.resolve(credentials.filter(({ kind }) => kinds.includes(kind)).slice(0, TRIES_MAX)),
    recordOutcome(credential, address, outcome) {
      uses.push({ credential: credential.name, address, outcome })
      return Promise.resolve()
    },
    knowHostKey({ address, port, algorithm, fingerprint }: HostKey) {
      const place = `${address} ${port} ${algorithm}`
      const pinned = keys.get(place)
      keys.set(place, pinned ?? fingerprint)
      return Promise.resolve(pinned === undefined ? 'new' : pinned === fingerprint ? 'same' : 'changed')
    },
  }
}

const TRIES_MAX = 2
