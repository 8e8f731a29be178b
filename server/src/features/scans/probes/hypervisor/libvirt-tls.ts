import type { TLSSocket } from 'node:tls'
import type { Credential } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { ProbeFailure } from '../probe.ts'
import { connectPinned, endpointText } from '../tls/pinned-certificate.ts'
import { LibvirtAccessDenied, openLibvirt, readLibvirt } from './libvirt.ts'
import { openRpc } from './libvirt-rpc.ts'
import {
  CredentialRefused,
  type HypervisorSession,
  type AccessMethod,
  type AccessContext,
} from './access-method.ts'

const PORT = 16514

/** libvirt's own protocol over TLS with a client certificate. */
export const libvirtOverTls: AccessMethod = {
  title: 'libvirt over TLS',
  kinds: ['tls_client'],
  port: PORT,
  logIn,
}

async function logIn(credential: Credential, means: AccessContext): Promise<HypervisorSession> {
  if (credential.kind !== 'tls_client') throw new CredentialRefused('no client certificate')
  const { address, host, limits, signal } = means
  const peer = { address, host, port: credential.port ?? PORT }
  const where = endpointText(peer)
  const socket = await connectPinned(peer, {
    signal,
    access: hostCheckFor(means.access, credential),
    connectMs: limits.connectMs,
    client: credential,
  })
  try {
    await welcomed(socket, { where, signal, answerMs: limits.answerMs })
    const rpc = openRpc({ stream: socket, where, signal, answerMs: limits.answerMs })
    const place = { where, address, uris: limits.uris, onRaw: means.onRaw }
    const calls = await openLibvirt(rpc, place)
    return { read: () => readLibvirt(calls, place), close: rpc.close }
  } catch (error) {
    socket.destroy()
    throw error instanceof LibvirtAccessDenied ? new CredentialRefused(error.message) : error
  }
}

const WELCOME = 1

/** The daemon looks at the certificate after the handshake, and says in one octet what it thinks of it. */
async function welcomed(
  socket: TLSSocket,
  {
    where,
    signal,
    answerMs,
  }: { readonly where: string; readonly signal: AbortSignal; readonly answerMs: number },
): Promise<void> {
  const late = AbortSignal.timeout(answerMs)
  const over = AbortSignal.any([signal, late])
  const octet = await new Promise<number | undefined>((resolve) => {
    const look = (): void => {
      const piece = socket.read(1) as Buffer | null
      if (piece) resolve(piece[0])
    }
    socket.on('readable', look)
    socket.once('close', () => resolve(undefined))
    over.addEventListener('abort', () => void socket.destroy(), { once: true })
    look()
  })
  socket.removeAllListeners('readable')
  signal.throwIfAborted()
  if (late.aborted)
    throw new ProbeFailure(`${where} speaks TLS, but does not answer as libvirt within ${answerMs / 1000} s`)
  if (octet !== WELCOME)
    throw new CredentialRefused(
      `libvirt on ${where} does not accept the client certificate; it must be signed by the authority that the host trusts (ca_file), and be allowed there (tls_allowed_dn_list)`,
    )
}
