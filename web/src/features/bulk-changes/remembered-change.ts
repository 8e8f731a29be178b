import type { BulkProgress } from '#api/generated/bulk-changes.ts'
import { tenantSlugOf } from '#api/tenant-url.ts'

/** Who has gone on with something else for longer looks for what to undo in the list no more. */
const KEPT_MS = 10 * 60_000

interface Kept {
  readonly change: BulkProgress
  readonly at: number
}

/** The bulk change that was started last in this tab, of assets or of findings, so that it can be undone after a reload. */
export function remembered(subject: BulkProgress['subject'], now = Date.now()): BulkProgress | undefined {
  try {
    const stored = sessionStorage.getItem(keyOf(subject))
    if (stored === null) return undefined
    const { change, at } = JSON.parse(stored) as Kept
    return now - at < KEPT_MS ? change : undefined
  } catch {
    // a browser may forbid storage
    return undefined
  }
}

export function remember(subject: BulkProgress['subject'], change: BulkProgress | undefined): void {
  try {
    if (change) sessionStorage.setItem(keyOf(subject), JSON.stringify({ change, at: Date.now() }))
    else sessionStorage.removeItem(keyOf(subject))
  } catch {
    // a browser may forbid storage
  }
}

const keyOf = (subject: BulkProgress['subject']): string =>
  ['rollcall-bulk-change', tenantSlugOf(location.pathname), subject].join(' ')
