import type { NewChange } from '#features/changes/changes.ts'
import type { FindingStatus } from './finding.ts'

interface StatusChange {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
  readonly status: FindingStatus
  /** Absent: the finding is new. */
  readonly statusBefore?: FindingStatus
}

/** Findings that are open now and were not, and the other way round. */
export function findingChanges(findings: readonly StatusChange[]): NewChange[] {
  return findings.flatMap(({ id, assetId, cveId, status, statusBefore }): NewChange[] => {
    const isOpen = status === 'open'
    if (isOpen === (statusBefore === 'open')) return []
    return [
      {
        kind: isOpen ? 'finding_opened' : 'finding_closed',
        assetId,
        subject: cveId,
        before: statusBefore,
        after: status,
        relatedId: id,
      },
    ]
  })
}
