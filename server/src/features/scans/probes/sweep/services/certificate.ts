import type { PeerCertificate } from 'node:tls'
import { plainText } from './plain-text.ts'

/** Of a certificate, what names the device or its maker. */
export interface CertificateSummary {
  readonly subject?: string
  readonly issuer?: string
  readonly names?: string
}

const NAMES_MAX = 500

/** `certificate` is as hostile as any packet, and may lack anything. */
export function readCertificate(
  certificate: Partial<PeerCertificate> | undefined,
): CertificateSummary | undefined {
  if (!certificate) return undefined
  const { subject, issuer, subjectaltname } = certificate
  const found = {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: plainText(subjectaltname ?? '', NAMES_MAX),
  }
  const present = Object.entries(found).filter(([, it]) => it !== undefined)
  return present.length === 0 ? undefined : (Object.fromEntries(present) as CertificateSummary)
}

/** `CN=router, O=Example`: the parts that name something, of repeated ones all. */
function nameOf(name: unknown): string | undefined {
  const parts = (name ?? {}) as Readonly<Record<string, unknown>>
  const read = ['CN', 'OU', 'O'].flatMap((part) =>
    [parts[part]].flat().flatMap((it) => (typeof it === 'string' && it !== '' ? [`${part}=${it}`] : [])),
  )
  return plainText(read.join(', '))
}
