/**
 * Why a reading did not come to its end. `failed` when the provider refuses it until somebody changes something,
 * `partial` when a later run may do better. Neither makes a resource disappear. The message is shown to people.
 */
export class CloudFault extends Error {
  readonly status: 'failed' | 'partial'
  /** What kind of answer it was, for those who go on differently. */
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.name = 'CloudFault'
    this.kind = kind
    this.status = failing.has(kind) ? 'failed' : 'partial'
  }
}

export type FaultKind =
  /** The credentials were refused, also when they had been renewed. */
  | 'sign_in'
  | 'not_allowed'
  /** A role lets in whoever names it, so that other tenants could have the account read. */
  | 'open_role'
  /** The service is switched off for the account or project. */
  | 'service_off'
  | 'region'
  | 'bad_answer'
  /** The token of the next page is refused. */
  | 'page_refused'
  | 'pages_repeat'
  | 'throttled'
  | 'unavailable'
  | 'too_many'
  | 'deadline'

/** Whether a call that ought to be refused is not. Faults of other kinds are thrown. */
export const isLetIn = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof CloudFault && (error.kind === 'not_allowed' || error.kind === 'sign_in'))
        return false
      throw error
    },
  )

const failing: ReadonlySet<FaultKind> = new Set([
  'sign_in',
  'not_allowed',
  'open_role',
  'service_off',
  'region',
  'bad_answer',
  'pages_repeat',
])
