import type { KeyScope } from '#api/generated/enums-and-inputs.ts'

/** The scopes and what each allows, from least to most. */
export const keyScopes: readonly {
  readonly scope: KeyScope
  readonly title: string
  readonly text: string
}[] = [
  { scope: 'read', title: 'read', text: 'Look at everything: assets, scans, exports.' },
  { scope: 'write', title: 'write', text: 'Also create and change.' },
  { scope: 'admin', title: 'admin', text: 'Everything, deleting included.' },
  { scope: 'recognition_read', title: 'recognition:read', text: 'Ask what a device is, and nothing else.' },
]

export const scopeName = (scope: KeyScope): string =>
  keyScopes.find((it) => it.scope === scope)?.title ?? scope
