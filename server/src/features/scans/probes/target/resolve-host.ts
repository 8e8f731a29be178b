import { lookup } from 'node:dns/promises'
import { ProbeFailure } from '../probe.ts'

/** An address stands for itself; of a name it is the one that this machine's name servers give first. */
export async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch {
    throw new ProbeFailure(
      `the host name ${host} does not resolve; check the name and this machine's name servers`,
    )
  }
}
