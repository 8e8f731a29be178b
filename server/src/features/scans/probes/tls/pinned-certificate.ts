import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { HostKey, TlsClient } from '../credential-access.ts'
import { reasonNotToTrust, type HostCheck } from '../host-key-check.ts'
import { ProbeFailure } from '../probe.ts'
import { CountedSocket } from '../touches/counted-socket.ts'

/** A service that speaks TLS. */
export interface Peer {
  readonly address: string
  readonly port: number
  /** As the person wrote it, for the name that TLS asks for; an address when there is no name. */
  readonly host: string
}

export interface TlsOptions {
  readonly access: HostCheck
  readonly signal: AbortSignal
  readonly connectMs: number
  /** The client certificate, if there is one. */
  readonly client?: Pick<TlsClient, 'certificate' | 'privateKey' | 'passphrase' | 'authority'>
}

/**
 * The host shows another certificate than before, or one that a person has to approve first or refused: the scan ends,
 * whatever else it could try.
 */
export class CertificateNotTrusted extends ProbeFailure {}

/**
 * A TLS connection whose certificate is the one that was pinned at first sight, or signed by the authority that the
 * credential names. Nothing is sent before that is certain. Fails as `ProbeFailure`, or with the signal's reason.
 */
export async function connectPinned(peer: Peer, means: TlsOptions): Promise<TLSSocket> {
  const socket = await handshake(peer, means)
  try {
    await vet(socket, peer, means)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** `10.0.0.5:443`, `[fd00::5]:443`, with the name where there is one. */
export function endpointText({ address, port, host }: Peer): string {
  const place = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  return host === address ? place : `${host} (${place})`
}

async function handshake(peer: Peer, means: TlsOptions): Promise<TLSSocket> {
  const { signal, connectMs } = means
  signal.throwIfAborted()
  const late = AbortSignal.timeout(connectMs)
  const socket = open(peer, means)
  const over = AbortSignal.any([signal, late])
  const stop = (): void => void socket.destroy(new Error('given up'))
  over.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('closed during the handshake')))
    })
    return socket
  } catch (error) {
    signal.throwIfAborted()
    const where = endpointText(peer)
    if (late.aborted)
      throw new ProbeFailure(
        `${where} did not finish a TLS handshake within ${connectMs / 1000} s; check that it is up and that a firewall lets this machine through`,
      )
    throw new ProbeFailure(reasonOf(error as NodeJS.ErrnoException, where))
  } finally {
    over.removeEventListener('abort', stop)
  }
}

function open({ address, port, host }: Peer, { access, client }: TlsOptions): TLSSocket {
  const carrier = new CountedSocket(address, access.touches)
  try {
    const socket = connect({
      socket: carrier.connect({ host: address, port }),
      host: address, // whom the certificate has to name
      // what counts is the pinned certificate or the authority of the credential, looked at below
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
      ...(client && { cert: client.certificate, key: client.privateKey }),
      ...(client?.passphrase !== undefined && { passphrase: client.passphrase }),
      ...(client?.authority !== undefined && { ca: client.authority }),
    })
    socket.setNoDelay(true)
    socket.on('error', () => undefined) // readers are notified by `close`
    return socket
  } catch {
    carrier.destroy()
    // its message may quote the key
    throw new ProbeFailure(
      'the client certificate of the credential or its private key cannot be read; both must be PEM, and the passphrase that of the key',
    )
  }
}

async function vet(socket: TLSSocket, peer: Peer, { access, client }: TlsOptions): Promise<void> {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) throw new ProbeFailure(`${endpointText(peer)} showed no certificate`)
  if (client?.authority !== undefined && !socket.authorized)
    throw new ProbeFailure(
      `the certificate of ${endpointText(peer)} is not one that the credential's authority vouches for (${String(socket.authorizationError)}); nothing was sent to it`,
    )
  const fingerprint = `SHA256:${createHash('sha256').update(certificate.raw).digest('base64').replace(/=+$/, '')}`
  const { address, port } = peer
  const key: HostKey = { address, port, algorithm: 'tls', fingerprint }
  const known = await access.knowHostKey(key)
  if (known === 'unknown' || known === 'refused')
    throw new CertificateNotTrusted(reasonNotToTrust('TLS certificate', endpointText(peer), key, known))
  if (known === 'changed' && client?.authority === undefined)
    throw new CertificateNotTrusted(
      `the TLS certificate of ${endpointText(peer)} has changed (now ${fingerprint}); no password was sent. If it was renewed on purpose, accept the new one and scan again; otherwise somebody may stand in between`,
    )
}

function reasonOf(error: NodeJS.ErrnoException, where: string): string {
  const known = reasons[error.code ?? '']
  if (known) return `${where} ${known}`
  if (error.code?.startsWith('ERR_SSL') || error.code === 'EPROTO')
    return `${where} does not answer in TLS 1.2 or 1.3 (${error.code}); check the port`
  return `${where} broke the connection off before TLS was agreed (${error.code ?? error.message})`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'refuses connections: nothing listens there; check the address and the port of the credential',
  EHOSTUNREACH: 'cannot be reached from this machine: no route to the host',
  ENETUNREACH: 'cannot be reached from this machine: no route to its network',
  ETIMEDOUT: 'does not answer; check that it is up and that a firewall lets this machine through',
}
