import { isLimited, type Ctx } from '#platform/context.ts'
import { decisions } from './decisions.ts'
import { endings } from './endings.ts'
import { failures } from './failures.ts'
import { partnerQuotas } from './partner-quotas.ts'
import { twins } from './twins.ts'
import type { OpenItemKind } from './open-item.ts'

/** In the order in which people see them. */
export const openItemKinds: readonly OpenItemKind[] = [
  ...decisions,
  ...twins,
  ...failures,
  ...endings,
  ...partnerQuotas,
]

/** Those that the actor may see. */
export const kindsOpenTo = (ctx: Ctx): readonly OpenItemKind[] =>
  openItemKinds.filter(
    ({ permission, isOfAllAssets = false }) =>
      ctx.actor.may(permission) && !(isOfAllAssets && isLimited(ctx)),
  )
