import type { ConditionPart } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import * as customFields from '../editing/custom-field-store.ts'
import { groupNames } from '../groups/group-store.ts'
import { customConditionField } from './tenant-fields-store.ts'

/** What the tenant adds to conditions on assets: its custom fields, and its groups. */
export async function tenantConditions(ctx: Ctx): Promise<readonly ConditionPart[]> {
  const fields = await customFields.fields(ctx)
  const conditions = await groupNames(ctx)
  return [
    {
      subject: 'asset',
      permission: 'assets:read',
      fields: [
        ...fields.map((field) => customConditionField(ctx, field)),
        {
          name: 'group',
          type: 'text',
          sentence: 'A group that it is a member of now: the condition of the group is true of it.',
          source: 'groups, which are conditions with a name',
          namedConditions: conditions,
        },
      ],
    },
  ]
}
