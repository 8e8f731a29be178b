import { list, oneOf } from './config-values.ts'

const roles = ['api', 'worker', 'deliveries', 'scheduler', 'collector'] as const
type Role = (typeof roles)[number]

/** Of a process that is told none. A collector has no database and no other role. */
export const defaultRoles: readonly Role[] = ['api', 'worker', 'scheduler']

/** Names of roles, separated by commas. Throws if it names none or one that does not exist. */
export function roleList(value: string): Role[] {
  const wanted = list(value).map((item) => oneOf(roles, item))
  if (wanted.length === 0) throw new Error(`name at least one of ${roles.join(', ')}`)
  if (wanted.includes('collector') && wanted.length > 1) throw new Error('collector goes with no other role')
  return [...new Set(wanted)]
}
