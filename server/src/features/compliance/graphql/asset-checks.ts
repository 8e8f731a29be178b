import type { Schema } from '#platform/graphql/schema.ts'
import { listChecksOfAsset, type AssetCheck } from '../asset-checks/asset-checks.ts'
import type { ComplianceTypes } from './object-types.ts'

/** What the checks say of one asset. */

const CHECKS_EXPECTED = 40

export function addAssetChecks(schema: Schema, { severity, asked }: ComplianceTypes): void {
  const control = schema.objectRef<AssetCheck['controls'][number]>('AssetCheckControl').implement({
    fields: (t) => ({
      framework: t.exposeID('framework'),
      controlId: t.exposeID('controlId'),
    }),
  })
  const check = schema.objectRef<AssetCheck>('AssetCheck').implement({
    description: 'A check that does not find an asset in order.',
    fields: (t) => ({
      checkId: t.exposeID('checkId'),
      title: t.exposeString('title'),
      severity: t.expose('severity', { type: severity }),
      next: t.exposeString('next', { description: 'What to do about it.' }),
      outcome: t.exposeString('outcome', { description: 'failed or unknown' }),
      since: t.expose('since', { type: 'DateTime' }),
      isExcepted: t.exposeBoolean('isExcepted', { description: 'An exception in force covers it.' }),
      controls: t.field({
        type: [control],
        description: 'Of adopted frameworks.',
        resolve: ({ controls }) => [...controls],
      }),
      asks: t.field({
        type: [asked],
        description: 'Of what is unknown, the facts that the check asks for.',
        resolve: ({ asks }) => [...asks],
      }),
    }),
  })
  schema.queryFields((t) => ({
    complianceOfAsset: t.field({
      type: [check],
      description: 'Checks that do not find an asset in order: what fails first, then what is unknown.',
      args: { assetId: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: CHECKS_EXPECTED },
      resolve: (_, { assetId }, ctx) => listChecksOfAsset(ctx, assetId),
    }),
  }))
}
