import type { Access, Credential, HostKey, HostKeyVerdict } from './credential-access.ts'
import type { TouchCounter } from './touches/touch-counter.ts'

/** How a connection that is made for one credential has the other side's key judged. */
export interface HostCheck {
  readonly knowHostKey: (host: HostKey) => Promise<HostKeyVerdict>
  readonly touches?: TouchCounter
}

export const hostCheckFor = (
  access: Pick<Access, 'knowHostKey' | 'touches'>,
  credential: Pick<Credential, 'id'>,
): HostCheck => ({
  knowHostKey: (host) => access.knowHostKey(host, credential),
  ...(access.touches && { touches: access.touches }),
})

/** Why nothing is sent to a host whose key is `unknown` or `refused`. `what`: `host key`, `TLS certificate`. */
export const reasonNotToTrust = (
  what: string,
  where: string,
  { algorithm, fingerprint }: HostKey,
  verdict: 'unknown' | 'refused',
): string =>
  verdict === 'refused'
    ? `the ${what} of ${where} (${algorithm} ${fingerprint}) was refused as not the host's; nothing secret was sent`
    : `the ${what} of ${where} (${algorithm} ${fingerprint}) is not known, and the credential asks before it goes to ` +
      'an unknown host; nothing secret was sent'
