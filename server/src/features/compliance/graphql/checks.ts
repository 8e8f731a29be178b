import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import type { CheckSetting } from '../checks/check-setting.ts'
import { setCheckSetting } from '../checks/check-settings.ts'
import type { UpgradedField } from '../checks/copied-check.ts'
import { copyCheck, decideUpgrade } from '../checks/copies.ts'
import { importTexts, listTextImports, removeTexts } from '../texts/control-texts.ts'
import type { TextImport } from '../texts/control-text.ts'
import type { ComplianceTypes } from './object-types.ts'

/** Copies of shipped checks, how checks count for frameworks, and imported texts. */

export interface CopyTypes {
  readonly setting: TypeOf<CheckSetting>
  readonly upgraded: TypeOf<UpgradedField>
}

export function addCopies(schema: Schema, { check }: Pick<ComplianceTypes, 'check'>): CopyTypes {
  const setting = settingType(schema)
  const upgraded = schema.objectRef<UpgradedField>('UpgradedCheckField').implement({
    description: 'A field that an upgrade of the product changed in the original of a copy.',
    fields: (t) => ({
      field: t.exposeString('field'),
      copied: t.exposeString('copied', {
        description: 'Of the original when it was copied, or compared last.',
      }),
      own: t.exposeString('own', { description: 'Of the copy.' }),
      shipped: t.exposeString('shipped', { description: 'Of the original now.' }),
    }),
  })
  schema.mutationFields((t) => ({
    copyComplianceCheck: t.field({
      type: check,
      description: 'A copy of a shipped check that can be changed, in its place in every framework.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => copyCheck(ctx, id),
    }),
    decideComplianceCheckUpgrade: t.field({
      type: check,
      description:
        'Takes what an upgrade changed in the original into the copy, or keeps the copy as it is. 409 where nothing changed.',
      args: { id: t.arg.id({ required: true }), take: t.arg.boolean({ required: true }) },
      resolve: (_, { id, take }, ctx) => decideUpgrade(ctx, id, { take }),
    }),
    setComplianceCheck: t.field({
      type: setting,
      description:
        'Switches a check off for a framework or on again, and says how many failures the framework tolerates.',
      args: {
        framework: t.arg.id({ required: true }),
        checkId: t.arg.id({ required: true }),
        isOff: t.arg.boolean({ required: true }),
        tolerance: t.arg.string({
          description: 'A number, or a share such as 2%; absent: that of the check.',
        }),
      },
      resolve: (_, { tolerance, ...it }, ctx) =>
        setCheckSetting(ctx, { ...it, tolerance: tolerance ?? null }),
    }),
  }))
  return { setting, upgraded }
}

const settingType = (schema: Schema): TypeOf<CheckSetting> =>
  schema.objectRef<CheckSetting>('ComplianceCheckSetting').implement({
    fields: (t) => ({
      framework: t.exposeID('framework'),
      isOff: t.exposeBoolean('isOff', { description: 'It does not count for the framework.' }),
      tolerance: t.exposeString('tolerance', { nullable: true, description: 'Null: that of the check.' }),
    }),
  })

export function addTexts(schema: Schema): void {
  const imported = schema.objectRef<TextImport>('ComplianceTextImport').implement({
    fields: (t) => ({
      framework: t.exposeID('framework'),
      isExported: t.exposeBoolean('isExported', {
        description: 'The texts stand in files of statements too.',
      }),
      importedAt: t.expose('importedAt', { type: 'DateTime' }),
      importedBy: t.exposeString('importedByName'),
      controls: t.exposeInt('controls', { description: 'How many have a text.' }),
    }),
  })
  schema.queryFields((t) => ({
    complianceTextImports: t.field({
      type: [imported],
      description: 'Texts of frameworks that the organisation holds a licence for, as it imported them.',
      resolve: (_, __, ctx) => listTextImports(ctx),
    }),
  }))
  schema.mutationFields((t) => ({
    importComplianceTexts: t.int({
      description:
        'Texts of a framework for this organisation alone, in place of earlier ones; answers of how many controls.',
      args: {
        framework: t.arg.id({ required: true }),
        rows: t.arg.string({
          required: true,
          description: 'CSV with the columns id, title and text, or an OSCAL catalogue as JSON.',
        }),
        isExported: t.arg.boolean({
          required: true,
          description: 'The licence lets them stand in files of statements too.',
        }),
      },
      resolve: (_, it, ctx) => importTexts(ctx, it),
    }),
    removeComplianceTexts: t.field({
      type: 'ID',
      args: { framework: t.arg.id({ required: true }) },
      resolve: (_, { framework }, ctx) => removeTexts(ctx, framework).then(() => framework),
    }),
  }))
}
