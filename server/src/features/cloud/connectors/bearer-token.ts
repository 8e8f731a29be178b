/** A token for the Authorization header, and until when it may be used, in milliseconds since 1970. */
export interface BearerToken {
  readonly value: string
  readonly until: number
}

export interface BearerTokens {
  readonly header: () => Promise<{ readonly authorization: string }>
  readonly forget: () => void
}

/** A token is replaced this long before its end, or at half its life if that is shorter. */
const MARGIN_MS = 300_000

/** Signs in when a token is first needed, and again before it ends; callers at the same time share one sign-in. */
export function bearerTokens(now: () => Date, signIn: () => Promise<BearerToken>): BearerTokens {
  let current: Promise<{ readonly value: string; readonly renewAt: number }> | undefined
  const fresh = async () => {
    const at = now().getTime()
    const { value, until } = await signIn()
    return { value, renewAt: until - Math.min(MARGIN_MS, (until - at) / 2) }
  }
  return {
    async header() {
      const held = await (current ??= fresh().catch((error: unknown) => {
        current = undefined
        throw error
      }))
      if (held.renewAt > now().getTime()) return { authorization: `Bearer ${held.value}` }
      current = undefined
      return this.header()
    },
    forget: () => void (current = undefined),
  }
}
