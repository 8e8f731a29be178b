import { setTimeout as sleep } from 'node:timers/promises'
import type { Credential } from '../credential-access.ts'
import { ProbeFailure } from '../probe.ts'
import { HostFailure } from '../ssh/connection/host-failure.ts'
import { USUAL_LIMITS } from '../ssh/timeouts-and-limits.ts'
import type { ClientChannel } from '../ssh/connection/ssh2-library.ts'
import { newHandshakeInfo, openSession, type Session } from '../ssh/connection/session.ts'
import { openLibvirt, readLibvirt } from './libvirt.ts'
import { openRpc } from './libvirt-rpc.ts'
import {
  InsufficientAccess,
  CredentialRefused,
  type HypervisorSession,
  type AccessMethod,
  type AccessContext,
} from './access-method.ts'

const PORT = 22

/** libvirt's own protocol through ssh: what runs on the host joins it to the daemon's socket for readers. */
export const libvirtOverSsh: AccessMethod = {
  title: 'libvirt over SSH',
  kinds: ['ssh_key', 'ssh_password'],
  port: PORT,
  logIn,
}

async function logIn(credential: Credential, means: AccessContext): Promise<HypervisorSession> {
  if (credential.kind !== 'ssh_key' && credential.kind !== 'ssh_password')
    throw new CredentialRefused('no credential for ssh')
  const { address, access, signal, limits } = means
  const where = `${address}:${credential.port ?? PORT}`
  const place = { address, port: credential.port ?? PORT }
  const session = await openSession(place, credential, newHandshakeInfo(), {
    access,
    signal,
    limits: USUAL_LIMITS,
  }).catch((error: unknown) => {
    if (error instanceof HostFailure && error.kind === 'login') throw new CredentialRefused(error.message)
    throw error
  })
  try {
    const { channel, complaint } = await joined(session, daemonOf(limits.uris))
    const rpc = openRpc({ stream: channel, where, signal, answerMs: limits.answerMs, why: complaint })
    const at = { where, address, uris: limits.uris, onRaw: means.onRaw }
    const calls = await openLibvirt(rpc, at)
    return {
      read: () => readLibvirt(calls, at),
      close() {
        rpc.close()
        session.close()
      },
    }
  } catch (error) {
    session.close()
    throw error instanceof ProbeFailure ? new InsufficientAccess(error.message) : error
  }
}

/** The helper only wants to know which daemon. */
const daemonOf = ([first = '']: readonly string[]): string => `${first.replace(/:.*$/, '')}:///system`

const COMPLAINT_LENGTH_MAX = 300
const COMPLAINT_MS = 2_000

/** Where it came with libvirt itself, its own helper; else netcat and the sockets that daemons have for readers. */
const script = (uri: string): string =>
  `if command -v virt-ssh-helper >/dev/null 2>&1; then exec virt-ssh-helper -r '${uri}'; fi
for s in /run/libvirt/virtqemud-sock-ro /run/libvirt/libvirt-sock-ro /var/run/libvirt/libvirt-sock-ro; do
  if [ -S "$s" ]; then exec nc -U "$s"; fi
done
echo 'no socket of libvirt on this host' >&2
exit 3`

function joined(
  { client }: Session,
  uri: string,
): Promise<{ readonly channel: ClientChannel; readonly complaint: () => Promise<string> }> {
  let complaint = ''
  return new Promise((resolve, reject) => {
    client.exec(`sh -c '${script(uri).replaceAll("'", `'\\''`)}'`, (error, channel) => {
      if (error) return reject(new ProbeFailure(`the host runs no command over ssh: ${error.message}`))
      channel.on('error', () => undefined)
      channel.stderr.on('data', (piece: Buffer) => {
        complaint = `${complaint}${piece.toString()}`.slice(0, COMPLAINT_LENGTH_MAX)
      })
      const closed = new Promise<void>((done) => channel.once('close', () => done()))
      const said = async (): Promise<string> => {
        // what it complains of may come after its end
        await Promise.race([closed, sleep(COMPLAINT_MS, undefined, { ref: false })])
        return complaint.replace(/\s+/g, ' ').trim()
      }
      resolve({ channel, complaint: said })
    })
  })
}
