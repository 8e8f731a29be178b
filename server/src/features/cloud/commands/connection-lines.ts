import type { CloudConnection } from '../connection.ts'

/** Never with its secret. */
export const connectionJson = ({ id, provider, name, isEnabled, problem, ...rest }: CloudConnection) => ({
  id,
  provider,
  name,
  sign_in: rest.signIn,
  settings: rest.settings,
  enabled: isEnabled,
  costs: rest.readsCosts,
  problem,
  accounts_listed_at: rest.plannedAt,
})

export const connectionLine = ({
  id,
  provider,
  name,
  isEnabled,
  problem,
  plannedAt,
}: CloudConnection): string => {
  const state = !isEnabled
    ? 'off'
    : problem || (plannedAt === null ? 'waiting for a worker' : `read ${plannedAt}`)
  return `${id}  ${provider} ${name}: ${state}`
}
