import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { ProbeFailure, type ProbeTarget } from '../probe.ts'

/**
 * The target with its address in place of its name, so that one scan means one machine: whoever answers for the name
 * cannot have the door looked at here and the password sent there.
 */
export async function pinned(target: ProbeTarget): Promise<ProbeTarget> {
  if (target.kind !== 'host' || isIP(target.host) !== 0) return target
  const { host: name } = target
  try {
    return { kind: 'host', host: (await lookup(name)).address, name }
  } catch {
    throw new ProbeFailure(
      `the host name ${name} does not resolve; check the name and this machine's name servers`,
    )
  }
}
