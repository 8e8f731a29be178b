import type { ComplianceSectionsData } from '#api/generated/compliance.ts'
import type { ControlStatus } from '#api/generated/enums-and-inputs.ts'

type Control = ComplianceSectionsData['complianceControls'][number]

/** A function or family of a framework, with the controls below it. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly counts: Readonly<Record<ControlStatus, number>>
  /** What nothing judges, in the order of the framework. */
  readonly notAssessed: readonly Control[]
}

/** The topmost headings of a framework; controls below none of them are a section of their own. */
export function sectionsOf(controls: readonly Control[]): Section[] {
  const byId = new Map(controls.map((it) => [it.id, it]))
  const topOf = (control: Control): Control | undefined => {
    let top: Control | undefined = control.isHeading ? control : undefined
    const seen = new Set([control.id])
    for (let at = byId.get(control.parentId); at && !seen.has(at.id); at = byId.get(at.parentId)) {
      seen.add(at.id)
      if (at.isHeading) top = at
    }
    return top
  }
  const grouped = Map.groupBy(
    controls.filter((it) => !it.isHeading),
    (it) => topOf(it)?.id ?? '',
  )
  return [...grouped].map(([id, some]) => ({
    id,
    title: byId.get(id)?.title ?? 'Other controls',
    counts: countsOf(some),
    notAssessed: some.filter(({ status }) => status === 'not_assessed'),
  }))
}

function countsOf(controls: readonly Control[]): Record<ControlStatus, number> {
  const counts = { fail: 0, warning: 0, pass: 0, not_applicable: 0, not_assessed: 0 }
  for (const { status } of controls) if (status !== null) counts[status] += 1
  return counts
}

/** Passes among passes and fails, as the framework counts it; null where there are none. */
export const scoreOf = ({ counts: { pass, fail } }: Pick<Section, 'counts'>): number | null =>
  pass + fail === 0 ? null : pass / (pass + fail)
