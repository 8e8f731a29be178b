import type { PeerCertificate } from 'node:tls'
import { plainText } from './plain-text.ts'

/** Of a certificate, what names the device or its maker. */
export interface CertificateSummary {
  readonly subject?: string
  readonly issuer?: string
  readonly names?: string
  /** RFC 3339. */
  readonly validFrom?: string
  readonly validTo?: string
  /** Subject and issuer are the same name. */
  readonly selfSigned?: boolean
}

const NAMES_MAX = 500

/** `certificate` is as hostile as any packet, and may lack anything. */
export function readCertificate(
  certificate: Partial<PeerCertificate> | undefined,
): CertificateSummary | undefined {
  if (!certificate) return undefined
  const { subject, issuer, subjectaltname, valid_from, valid_to } = certificate
  const found = {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: plainText(subjectaltname ?? '', NAMES_MAX),
    validFrom: instantIn(valid_from),
    validTo: instantIn(valid_to),
    selfSigned: isSelfSigned(subject, issuer),
  }
  const present = Object.entries(found).filter(([, it]) => it !== undefined)
  return present.length === 0 ? undefined : (Object.fromEntries(present) as CertificateSummary)
}

/** Node writes `Nov 22 12:00:00 2026 GMT`. */
function instantIn(text: unknown): string | undefined {
  const at = typeof text === 'string' ? new Date(text) : undefined
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
}

function isSelfSigned(subject: unknown, issuer: unknown): boolean | undefined {
  const [own, by] = [subject, issuer].map((it) => JSON.stringify(it ?? {}))
  return own === '{}' || by === '{}' ? undefined : own === by
}

/** `CN=router, O=Example`: the parts that name something, of repeated ones all. */
function nameOf(name: unknown): string | undefined {
  const parts = (name ?? {}) as Readonly<Record<string, unknown>>
  const read = ['CN', 'OU', 'O'].flatMap((part) =>
    [parts[part]].flat().flatMap((it) => (typeof it === 'string' && it !== '' ? [`${part}=${it}`] : [])),
  )
  return plainText(read.join(', '))
}
