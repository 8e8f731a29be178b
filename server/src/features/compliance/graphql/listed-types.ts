import type { EnumOf, Schema, TypeOf } from '#platform/graphql/schema.ts'
import { keyOf, titleOfFramework } from '../catalogue/catalogue.ts'
import type { CheckSeverity } from '../checks/check.ts'
import type { ControlSummary, ListedCheck } from '../compliance.ts'
import type { ControlStatus } from '../evaluation/status.ts'

/** The rows of the lists of all checks and of all controls. */

interface Enums {
  readonly status: EnumOf<ControlStatus>
  readonly severity: EnumOf<CheckSeverity>
}

export const listedCheckType = (schema: Schema, { status, severity }: Enums): TypeOf<ListedCheck> =>
  schema.objectRef<ListedCheck>('ListedCheck').implement({
    description: 'A check with what its last round found.',
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title'),
      severity: t.expose('severity', { type: severity }),
      status: t.expose('status', { type: status, nullable: true, description: 'Null: not judged.' }),
      next: t.exposeString('next', { description: 'What to do about an asset that fails.' }),
      sentence: t.exposeString('sentence', { description: 'What was found, in words.' }),
      isOwn: t.exposeBoolean('isOwn'),
      copiedFrom: t.exposeString('copiedFrom', { nullable: true }),
      inScope: t.exposeInt('inScope'),
      ok: t.exposeInt('ok'),
      failed: t.exposeInt('failed'),
      unknown: t.exposeInt('unknown'),
      excepted: t.exposeInt('excepted'),
      judgedAt: t.expose('judgedAt', { type: 'DateTime', nullable: true }),
      frameworks: t.stringList({
        description: 'Titles of those that it counts for.',
        resolve: ({ frameworks }) => [...frameworks],
      }),
      controls: t.int({
        description: 'How many controls it counts for.',
        resolve: ({ controlIds }) => controlIds.length,
      }),
    }),
  })

export const listedControlType = (
  schema: Schema,
  { status }: Pick<Enums, 'status'>,
): TypeOf<ControlSummary> =>
  schema.objectRef<ControlSummary>('ListedControl').implement({
    description: 'A control of a framework; no heading.',
    fields: (t) => ({
      id: t.id({
        description: 'The short name of the framework and the id of the control.',
        resolve: ({ framework, id }) => keyOf(framework, id),
      }),
      framework: t.exposeID('framework'),
      frameworkTitle: t.string({ resolve: ({ framework }) => titleOfFramework(framework) }),
      controlId: t.exposeID('id'),
      parentId: t.exposeString('parentId'),
      title: t.exposeString('title'),
      status: t.expose('status', { type: status, nullable: true }),
      since: t.expose('since', { type: 'DateTime', nullable: true }),
      checks: t.exposeInt('checks', { description: 'How many checks judge it.' }),
      why: t.stringList({ resolve: ({ why }) => [...why] }),
    }),
  })
