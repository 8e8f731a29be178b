/** The name of the action that asks for one. */
export const REQUEST_APPROVAL = 'request_approval'

export const approvalStates = ['open', 'approved', 'refused', 'expired', 'cancelled'] as const
/** Cancelled: the run ended before somebody answered. */
export type ApprovalState = (typeof approvalStates)[number]

/** What a run asks of people before it goes on. */
export interface Approval {
  readonly id: string
  readonly runId: string
  readonly flowId: string
  readonly flowName: string
  readonly assetId: string | null
  /** Empty: the run is about no asset, or the asset is gone. */
  readonly assetName: string
  /** Who started the run by hand; null: its trigger did. */
  readonly startedByName: string | null
  /** What started the run: an event type, `schedule`, `manual`, `webhook` or `query`. */
  readonly cause: string
  readonly question: string
  readonly state: ApprovalState
  readonly createdAt: string
  readonly expiresAt: string
  readonly decidedAt: string | null
  readonly decidedByName: string | null
  readonly note: string
}

/** Which requests are listed; of all runs unless a flow or a run is named. */
export interface ApprovalFilter {
  /** Only what can still be answered. */
  readonly isOpen?: boolean | undefined
  readonly flowId?: string | undefined
  readonly runId?: string | undefined
}

export const decisions = ['approve', 'refuse'] as const

export interface Decision {
  readonly decision: (typeof decisions)[number]
  readonly note?: string | undefined
}
