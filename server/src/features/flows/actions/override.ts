import { Type } from 'typebox'
import {
  createOverride,
  overrideKinds,
  severities,
  type NewOverride,
} from '#features/vulnerabilities/vulnerabilities.ts'
import type { InnerAction } from './action.ts'

const DAY_MS = 86_400_000

/** Where the tenant requires it, the override waits for a second person, as any other does. */
export const createOverrideAction: InnerAction = {
  name: 'create_override',
  kind: 'inner',
  label: 'Override findings',
  sentence: 'Accepts the risk of a vulnerability, or says why it does not apply, for a number of days.',
  settings: Type.Object({
    kind: Type.Union(
      overrideKinds.map((it) => Type.Literal(it)),
      { title: 'Kind' },
    ),
    cve: Type.String({ title: 'Vulnerability', description: 'such as {{event.cve_id}}', minLength: 1 }),
    finding: Type.Optional(
      Type.String({ title: 'Finding', description: 'only this one: {{event.vulnerability_id}}' }),
    ),
    tag: Type.Optional(Type.String({ title: 'Only on assets with this tag', pick: 'tag' })),
    condition: Type.Optional(
      Type.String({ title: 'Only on assets that match', description: 'a condition such as site = Oslo' }),
    ),
    severity: Type.Optional(
      Type.Union(
        severities.map((it) => Type.Literal(it)),
        { title: 'Severity', description: 'for kind severity' },
      ),
    ),
    reason: Type.String({ title: 'Reason', minLength: 1, maxLength: 2_000 }),
    days: Type.Integer({ title: 'Days', minimum: 1, maximum: 3_650 }),
  }),
  templates: ['cve', 'finding', 'tag', 'reason'],
  outputs: ['overrideId', 'state'],
  permission: 'overrides:write',
  locks: ['findings'],
  async run(ctx, settings) {
    const { cve, finding, tag, condition, days, kind, severity, reason } = settings as unknown as Given
    const { id, state } = await createOverride(ctx, {
      kind,
      severity,
      reason,
      cveId: cve,
      findingId: finding || undefined,
      tag: tag || undefined,
      condition: condition || undefined,
      expiresAt: new Date(ctx.now().getTime() + days * DAY_MS).toISOString(),
    })
    return { overrideId: id, state }
  },
}

interface Given extends Pick<NewOverride, 'kind' | 'severity' | 'reason' | 'tag' | 'condition'> {
  readonly cve: string
  readonly finding?: string
  readonly days: number
}
