import { permit, type Actor, type Ctx } from '#platform/context.ts'
import type { ReportType } from '../report.ts'
import { reportKinds } from '../kinds/all.ts'
import type { Collecting, Section } from '../kinds/kind.ts'

/** Throws 403 for an actor who may not read the main table of such a report. */
export function permitType(ctx: Ctx, type: ReportType): void {
  for (const permission of reportKinds[type].permissions) permit(ctx, permission)
}

/** Whether an actor may read the main table of such a report. */
export const mayReadType = (may: Actor['may'], type: ReportType): boolean =>
  reportKinds[type].permissions.every((it) => may(it))

export interface PermittedSections {
  readonly sections: readonly Section[]
  /** Titles of those that the actor may not read. */
  readonly leftOut: readonly string[]
}

/** The sections that the actor of the context may read; what is left out is named nowhere else. */
export function permittedSections(type: ReportType, collecting: Collecting): PermittedSections {
  const { may } = collecting.ctx.actor
  const all = reportKinds[type].sections(collecting)
  const out = all.filter(({ permission }) => permission !== undefined && !may(permission))
  const names = new Set(out.map(({ name }) => name))
  return {
    sections: all
      .filter(({ name }) => !names.has(name))
      .map((it) => (it.details ? { ...it, details: it.details.filter((name) => !names.has(name)) } : it)),
    leftOut: out.map(({ title }) => title),
  }
}
