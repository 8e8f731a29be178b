import type { X509Certificate } from 'node:crypto'
import { present, type JsonObject } from '../json.ts'

/** `path`: where it was found. */
export const certificateFacts = (certificate: X509Certificate, path: string): JsonObject =>
  present({
    path,
    subject: certificate.subject.replaceAll('\n', ', '),
    issuer: certificate.issuer.replaceAll('\n', ', '),
    serialNumber: certificate.serialNumber,
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    names: certificate.subjectAltName,
    expiresAt: new Date(certificate.validTo).toISOString(),
  })
