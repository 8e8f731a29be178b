export const statementStates = ['draft', 'in_review', 'approved', 'superseded'] as const
export type StatementState = (typeof statementStates)[number]

/** Empty: nobody said so yet. */
export const implementations = ['', 'planned', 'partly', 'implemented', 'alternative'] as const
export type Implementation = (typeof implementations)[number]

export interface Statement {
  readonly id: string
  readonly framework: string
  readonly version: number
  readonly state: StatementState
  readonly createdAt: string
  readonly createdByName: string
  readonly submittedAt: string | null
  readonly submittedBy: string | null
  readonly submittedByName: string | null
  readonly approvedAt: string | null
  readonly approvedByName: string | null
  readonly approvedRole: string | null
  /** SHA-256 of what was approved, hexadecimal. */
  readonly digest: string | null
}

export interface StatementRow {
  readonly controlId: string
  readonly isApplicable: boolean
  /** Why it is included, or excluded: ISO/IEC 27001 6.1.3 d asks for both. */
  readonly justification: string
  readonly implementation: Implementation
  readonly owner: string
  readonly measures: string
  /** Where it is found. */
  readonly evidence: string
  /** That the control treats. */
  readonly risks: string
  /** YYYY-MM-DD; empty: never. */
  readonly reviewedOn: string
  readonly nextReviewOn: string
  /** The version before lacks the control, because the framework has changed; false once somebody wrote the row. */
  readonly isNew: boolean
}

/** What a row says in words of its authors. */
export const rowTexts = ['justification', 'owner', 'measures', 'evidence', 'risks'] as const
export const rowDays = ['reviewedOn', 'nextReviewOn'] as const

/** A row that differs between two statements; null: it is in the other one alone. */
export interface RowDifference {
  readonly controlId: string
  readonly before: StatementRow | null
  readonly after: StatementRow | null
}

/** In the order of the controls of `after`, then those that it lacks. */
export function differences(
  before: readonly StatementRow[],
  after: readonly StatementRow[],
): RowDifference[] {
  const [old, now] = [before, after].map((rows) => new Map(rows.map((row) => [row.controlId, row])))
  const ids = new Set([...after, ...before].map(({ controlId }) => controlId))
  return [...ids].flatMap((controlId): RowDifference[] => {
    const [was, is] = [old?.get(controlId) ?? null, now?.get(controlId) ?? null]
    return was && is && isSame(was, is) ? [] : [{ controlId, before: was, after: is }]
  })
}

const isSame = (a: StatementRow, b: StatementRow): boolean =>
  a.isApplicable === b.isApplicable &&
  a.implementation === b.implementation &&
  [...rowTexts, ...rowDays].every((name) => a[name] === b[name])
