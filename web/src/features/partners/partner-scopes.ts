import type { PartnerScope } from '#api/generated/enums-and-inputs.ts'

/** The scopes of partner keys and what each allows. */
export const partnerScopes: readonly {
  readonly scope: PartnerScope
  readonly title: string
  readonly text: string
}[] = [
  { scope: 'partner_read', title: 'partner:read', text: 'Read the partner, its keys and its quota.' },
  { scope: 'partner_write', title: 'partner:write', text: 'Also issue and revoke keys of the partner.' },
  { scope: 'webhook_read', title: 'webhook:read', text: 'List the webhooks of the partner.' },
  { scope: 'webhook_write', title: 'webhook:write', text: 'Also create and delete webhooks of the partner.' },
]

export const scopeName = (scope: PartnerScope): string =>
  partnerScopes.find((it) => it.scope === scope)?.title ?? scope
