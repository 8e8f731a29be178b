import { randomBytes, randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import type { CredentialKind } from './credential.ts'
import { lendTo, type NewCredential } from './credentials.ts'
import type { Lending } from './lending/lending.ts'

export const NET = '10.0.0.0/24'
export const SSH: readonly CredentialKind[] = ['ssh_key', 'ssh_password']

export const password = (): string => `pw-${randomBytes(9).toString('hex')}`

export const wanted = (given: Partial<NewCredential> = {}): NewCredential => ({
  name: `c-${randomBytes(4).toString('hex')}`,
  kind: 'ssh_password',
  cidrs: [NET],
  targetIds: [],
  values: { username: 'scan', password: password() },
  ...given,
})

export const lending = (
  ctx: Ctx,
  targetId: string | null = null,
  covers: (it: string) => boolean = () => true,
): Lending => lendTo(ctx, { scanId: randomUUID(), targetId, startedBy: { kind: 'user', id: 'ada' }, covers })

/** What a scan that does nothing else would be lent. */
export async function lent(ctx: Ctx, address: string, kinds = SSH, targetId: string | null = null) {
  const scan = lending(ctx, targetId)
  const credentials = await scan.credentialsFor(address, kinds)
  await scan.close()
  return credentials
}
