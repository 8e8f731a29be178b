import { invalid } from '#platform/errors.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import type { CloudProvider } from './cloud-resource.ts'
import { connectors } from './connectors/all.ts'
import { FOREIGN_ADDRESS, foreignAddress } from './connectors/base-address.ts'
import type { Connector, Field, SignIn, Values } from './connectors/connector.ts'

/** A connection as a person gives it: `values` are settings and secrets by the names of the provider's fields. */
export interface NewConnection {
  /** One that was proposed, to which external id and subject belong; a new one unless given. */
  readonly id?: string
  readonly name: string
  readonly provider: string
  readonly signIn: string
  readonly values: Values
}

export interface CheckedConnection {
  readonly provider: CloudProvider
  readonly signIn: string
  readonly settings: Values
  readonly secrets: Values
}

const VALUE_LENGTH_MAX = 2_048
/** A service account key or a private key. */
const LONG_LENGTH_MAX = 16_384

/** Parts what may be read again from what may not. Refuses, naming the field, what does not fit. */
export function checkedValues(input: NewConnection): CheckedConnection {
  const connector = connectorNamed(input.provider)
  const signIn = signInNamed(connector, input.signIn)
  const fields = [...connector.fields, ...signIn.fields]
  const known = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(input.values))
    if (!known.has(name)) throw invalid(name, `means nothing for ${connector.provider} by ${signIn.name}`)
  const settings = valuesOf(
    fields.filter((it) => !it.isSecret),
    input.values,
  )
  const secrets = valuesOf(
    fields.filter((it) => it.isSecret),
    input.values,
  )
  connector.check({ ...settings, ...secrets }, signIn.name)
  const foreign = signIn.isOfHost && foreignAddress(settings)
  if (foreign) throw invalid(foreign, FOREIGN_ADDRESS)
  return { provider: connector.provider, signIn: signIn.name, settings, secrets }
}

/** All secrets of a way of signing in, for a connection that has others. */
export function checkedSecrets(provider: string, signInName: string, values: Values): Values {
  const fields = signInNamed(connectorNamed(provider), signInName).fields.filter((it) => it.isSecret)
  for (const name of Object.keys(values))
    if (!fields.some((it) => it.name === name)) throw invalid(name, `is no secret of ${signInName}`)
  if (fields.length === 0) throw invalid('secrets', `${signInName} has none`)
  return valuesOf(fields, values)
}

function connectorNamed(provider: string): Connector {
  const found = connectors.find((it) => it.provider === provider)
  if (!found) throw invalid('provider', `must be one of ${connectors.map((it) => it.provider).join(', ')}`)
  return found
}

function signInNamed({ signIns }: Connector, name: string): SignIn {
  const found = signIns.find((it) => it.name === name)
  if (!found) throw invalid('signIn', `must be one of ${signIns.map((it) => it.name).join(', ')}`)
  return found
}

function valuesOf(fields: readonly Field[], values: Values): Values {
  const taken: Record<string, string> = {}
  for (const { name, isRequired, isLong } of fields) {
    const text = (values[name] ?? '').trim()
    if (text === '' && isRequired) throw invalid(name, 'is needed')
    if (text === '') continue
    const lengthMax = isLong ? LONG_LENGTH_MAX : VALUE_LENGTH_MAX
    if (text.length > lengthMax) throw invalid(name, `must have at most ${lengthMax} characters`)
    if (!text.isWellFormed() || (!isLong && hasControlCharacter(text)))
      throw invalid(name, 'holds characters that no value has')
    taken[name] = text
  }
  return taken
}
