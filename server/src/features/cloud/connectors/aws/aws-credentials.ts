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

/** A role's session is replaced this long before its end. */
const MARGIN_MS = 300_000

/** Fetches keys when they are first needed, and again before they end; callers at the same time share one call. */
export function temporaryKeys(
  now: () => Date,
  fetchKeys: () => Promise<{ readonly keys: AwsKeys; readonly until: number }>,
): AwsCredentials {
  let current: ReturnType<typeof fetchKeys> | undefined
  return {
    async keys() {
      const held = await (current ??= fetchKeys().catch((error: unknown) => {
        current = undefined
        throw error
      }))
      if (held.until - MARGIN_MS > now().getTime()) return held.keys
      current = undefined
      return this.keys()
    },
    forget: () => void (current = undefined),
  }
}
