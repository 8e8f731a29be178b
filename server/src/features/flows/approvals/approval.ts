/** The name of the action that asks for one. */
export const REQUEST_APPROVAL = 'request_approval'

export const approvalStates = ['open', 'approved', 'refused', 'expired'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** What a run asks of people before it goes on. */
export interface Approval {
  readonly id: string
  readonly runId: string
  readonly flowId: string
  readonly flowName: string
  readonly assetId: string | null
  readonly question: string
  readonly state: ApprovalState
  readonly createdAt: string
  readonly expiresAt: string
  readonly decidedAt: string | null
  readonly decidedByName: string | null
  readonly note: string
}

export const decisions = ['approve', 'refuse'] as const

export interface Decision {
  readonly decision: (typeof decisions)[number]
  readonly note?: string | undefined
}
