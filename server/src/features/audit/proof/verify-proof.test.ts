import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalJson, PROOF_FORMAT, signedBytes, verifyProof, type Proof } from './verify-proof.ts'

const TENANT = '0199a000-0000-7000-8000-000000000001'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

interface Entry {
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What an installation would answer whose log has this one entry. */
function proofWith(kind: Proof['kind'], document: unknown, { action, subject, details }: Entry): string {
  const at = 1_795_000_000_000_000
  const text = JSON.stringify([1, TENANT, at, 'user', 'u', 'a@x', '', action, subject, 'id', details])
  const hash = createHash('sha256').update(text).digest('hex')
  const claim = { tenant: TENANT, seq: 1, hash, signed_at: '2026-11-22T12:00:00.000Z' }
  const proof: Proof = {
    format: PROOF_FORMAT,
    kind,
    document,
    before: '',
    links: [{ seq: 1, text, hash }],
    checkpoint: {
      ...claim,
      signature: sign(null, signedBytes(claim), privateKey).toString('base64'),
      public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
  }
  return JSON.stringify(proof)
}

const digestOf = (document: unknown): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex')

const made = [
  ['evidence', 'compliance_evidence.recorded', 'compliance_evidence'],
  ['statement', 'compliance_statement.approved', 'compliance_statement'],
  ['report', 'report.generated', 'report'],
] as const

test.each(made)('a document of kind %s is proved by the entry %s of a %s', (kind, action, subject) => {
  const document = { tenant: TENANT, file_name: 'r.csv', file_sha256: 'f' }
  const details = { control: 'a', status: 'pass', sha256: digestOf(document) }
  const { facts, faults } = verifyProof(proofWith(kind, document, { action, subject, details }))
  expect(faults).toEqual([])
  expect(facts.join('\n')).toContain(`${action} at 2026-11-18T`)
  expect(facts.join('\n')).toContain('by a@x: {"control":"a","sha256":"')
})

test.each(made)(
  'a forged document of kind %s is not proved by a digest that people wrote',
  (kind, action, subject) => {
    const document = { tenant: TENANT, status: 'pass', file_sha256: 'f'.repeat(64) }
    const digest = digestOf(document)
    const written: Entry[] = [
      {
        action: 'compliance_exception.requested',
        subject: 'compliance_exception',
        details: { reason: digest },
      },
      { action: 'compliance.attested', subject: 'compliance_attestation', details: { statement: digest } },
      { action: 'asset.changed', subject, details: { sha256: digest } },
      { action, subject: 'asset', details: { sha256: digest } },
      { action, subject, details: { name: digest, framework: digest, digest } },
      { action, subject, details: { digest: document.file_sha256 } },
      ...made
        .filter(([other]) => other !== kind)
        .map(([, other, type]) => ({ action: other, subject: type, details: { sha256: digest } })),
    ]
    for (const entry of written)
      expect(verifyProof(proofWith(kind, document, entry)).faults).toEqual([
        expect.stringContaining('names the digest of the document'),
      ])
  },
)

test('a document of another tenant is not proved', () => {
  const document = { tenant: 'other' }
  const entry = {
    action: 'compliance_evidence.recorded',
    subject: 'compliance_evidence',
    details: { sha256: digestOf(document) },
  }
  expect(verifyProof(proofWith('evidence', document, entry)).faults).toEqual([
    'the document is of another tenant',
  ])
})
