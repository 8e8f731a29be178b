import { jsonOf, type CloudAnswer, type Verdict } from '../cloud-request.ts'
import { textAt } from '../read-json.ts'

/** Error codes of the services' API references, by what they mean for a reading. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  expired: ['ExpiredToken', 'ExpiredTokenException', 'RequestExpired'],
  sign_in: [
    'InvalidClientTokenId',
    'UnrecognizedClientException',
    'SignatureDoesNotMatch',
    'InvalidSignatureException',
    'InvalidAccessKeyId',
    'MissingAuthenticationToken',
    'InvalidIdentityToken',
    'IDPCommunicationError',
    'IDPRejectedClaim',
  ],
  not_allowed: [
    'AccessDenied',
    'AccessDeniedException',
    'UnauthorizedOperation',
    'AuthorizationError',
    'AWSOrganizationsNotInUseException',
  ],
  region: ['AuthFailure', 'OptInRequired'],
  throttled: [
    'RequestLimitExceeded',
    'Throttling',
    'ThrottlingException',
    'ThrottledException',
    // of Cost Explorer, where it is about calls
    'LimitExceededException',
    'RequestThrottled',
    'RequestThrottledException',
    'TooManyRequestsException',
    'SlowDown',
    'BandwidthLimitExceeded',
  ],
  page_refused: ['InvalidNextToken', 'InvalidNextTokenException', 'InvalidPaginationToken', 'InvalidMarker'],
}

const kinds = new Map(
  Object.entries(meanings).flatMap(([kind, codes]) => codes.map((it) => [it, kind] as const)),
)

export function judgeAws(answer: CloudAnswer): Verdict {
  const { status } = answer
  if (status === 200)
    return isWhole(answer) ? { kind: 'ok' } : { kind: 'unavailable', message: 'the answer was cut' }
  const { code, message } = errorOf(answer)
  const told = [code, message].filter((it) => it !== '').join(': ') || `status ${status}`
  const kind = kinds.get(code) as Exclude<Verdict['kind'], 'ok'> | undefined
  if (kind) return { kind, message: told }
  if (status === 429) return { kind: 'throttled', message: told }
  if (status >= 500 || status === 408) return { kind: 'unavailable', message: told }
  return { kind: status === 403 ? 'not_allowed' : 'bad_answer', message: told }
}

/** The connection may end before the answer does. */
function isWhole({ text }: CloudAnswer): boolean {
  const whole = text.trimEnd()
  return whole.startsWith('<') ? /<\/[\w:]+>$|\/>$/.test(whole) : jsonOf({ text }) !== undefined
}

/** XML: `<Code>` and `<Message>` in various places; JSON: `__type` or the header, with a namespace before it. */
function errorOf(answer: CloudAnswer): { readonly code: string; readonly message: string } {
  const { text, headers } = answer
  if (text.trimStart().startsWith('<'))
    return {
      code: /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '',
      message: /<Message>([^<]{1,500})<\/Message>/.exec(text)?.[1] ?? '',
    }
  const body = jsonOf(answer)
  const type = headers.get('x-amzn-errortype') ?? (textAt(body, '__type') || textAt(body, 'code'))
  const [code = ''] = type.slice(type.lastIndexOf('#') + 1).split(':')
  return { code, message: textAt(body, 'message') || textAt(body, 'Message') }
}
