import { CloudFault } from '../cloud-fault.ts'

/** Keys that requests are signed with. */
export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string
}

/** Keys that may have to be fetched; `forget` has them fetched anew. */
export interface AwsCredentials {
  readonly keys: () => Promise<AwsKeys>
  readonly forget: () => void
}

export const lastingKeys = (keys: AwsKeys): AwsCredentials => ({ keys: async () => keys, forget: () => {} })

/** A role's session is replaced this long before its end, at most half of its time before. */
const MARGIN_MS = 300_000

/** Fetches keys when they are first needed, and again before they end; callers at the same time share one call. */
export function temporaryKeys(
  now: () => Date,
  fetchKeys: () => Promise<{ readonly keys: AwsKeys; readonly until: number }>,
): AwsCredentials {
  let current: Promise<{ readonly keys: AwsKeys; readonly replacedAt: number }> | undefined
  const fetched = async () => {
    const { keys, until } = await fetchKeys()
    const lastsMs = until - now().getTime()
    if (!(lastsMs > 0)) throw new CloudFault('bad_answer', 'the session that a role gave has ended already')
    return { keys, replacedAt: until - Math.min(MARGIN_MS, lastsMs / 2) }
  }
  const shared = () =>
    (current ??= fetched().catch((error: unknown) => {
      current = undefined
      throw error
    }))
  return {
    async keys() {
      const asked = shared()
      const held = await asked
      if (held.replacedAt > now().getTime()) return held.keys
      if (current === asked) current = undefined
      return (await shared()).keys
    },
    forget: () => void (current = undefined),
  }
}
