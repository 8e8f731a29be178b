export interface HookExample {
  /** Whole, with the token. */
  readonly url: string
  readonly signature: string
  /** Types of the values that the trigger names. */
  readonly fields: Readonly<Record<string, string>>
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  number: 1,
  bool: true,
  date: '2026-01-31',
  instant: '2026-01-31T08:00:00Z',
  ip: '192.0.2.1',
  version: '1.2.3',
}

/** Lines for a shell that send one request as the trigger wants it; the key of signatures stands in $SECRET. */
export function curlCommand({ url, signature, fields }: HookExample): string {
  const example = Object.entries(fields).map(([name, type]) => [name, EXAMPLES[type] ?? 'text'])
  const body = JSON.stringify(Object.fromEntries(example))
  const send = `curl -X POST '${url}' -H 'Content-Type: application/json'`
  const sign = 'openssl dgst -sha256 -hmac "$SECRET" -r | cut -d \' \' -f 1'
  switch (signature) {
    case 'x-hub-signature-256':
      return [
        `BODY='${body}'`,
        `${send} -H "X-Hub-Signature-256: sha256=$(printf %s "$BODY" | ${sign})" -d "$BODY"`,
      ].join('\n')
    case 'rollcall':
      return [
        `BODY='${body}'`,
        'TIME=$(date -u +%Y-%m-%dT%H:%M:%SZ)',
        `${send} -H "X-Service-Timestamp: $TIME" -H "X-Service-Signature: sha256=$(printf %s "$BODY$TIME" | ${sign})" -d "$BODY"`,
      ].join('\n')
    default:
      return `${send} -d '${body}'`
  }
}
