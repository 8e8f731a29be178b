import type { Identifier, Json } from '#features/assets/observation.ts'
import { word } from './terminal-text.ts'
import type { Place } from './connection/tcp-connect.ts'
import type { HandshakeInfo } from './connection/session.ts'

/** The source key of a host: its address and its host key, or the address alone. */
export function sourceKeyOf({ address }: Place, { keys }: HandshakeInfo): string {
  const [first] = keys.values()
  return `${address}|${first?.fingerprint ?? ''}`
}

export const handshakeIdentifiers = ({ address }: Place, { keys }: HandshakeInfo): readonly Identifier[] => [
  { type: 'ip', value: address },
  ...[...keys.values()].map(({ fingerprint }) => ({ type: 'ssh_host_key' as const, value: fingerprint })),
]

/** Facts from the SSH handshake, before authentication. */
export function handshakeFacts(
  { port }: Place,
  { ident, banner, keys, weak }: HandshakeInfo,
): Record<string, Json> {
  const said = word(banner, 500)
  return {
    sshPort: port,
    sshServer: word(ident.replace(/^SSH-[\d.]+-/, '')) ?? '',
    sshHostKeys: [...keys.values()].map(({ algorithm, fingerprint }) => `${algorithm} ${fingerprint}`),
    ...(said !== undefined && { sshBanner: said }),
    ...(weak.length > 0 && { sshWeakAlgorithms: [...weak] }),
  }
}
