import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { DatabaseUnavailable } from '../database/unavailable-errors.ts'
import { INTERNAL, invalid, invalidBody, Refusal, unavailable, unsupportedMediaType } from '../errors.ts'

const refusals: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_BAD_URL: () => invalidBody('the path is not valid percent-encoded UTF-8'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  // the client has disconnected; nobody receives this
  ECONNRESET: () => invalidBody('the body ended early'),
}

/** Undefined for what the caller may not know: a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) return unavailable(error.mayBeTaken)
  return refusals[String((error as Partial<FastifyError>).code)]?.()
}

export const internalError = (): Refusal => new Refusal(500, 'internal_error', INTERNAL)

/** `part` is `body` or `querystring`. Only the first error is reported; the message names its field. */
export function refusalOfSchemaError(faults: readonly FastifySchemaValidationError[], part: string): Refusal {
  const fault = faults.at(-1) as FastifySchemaValidationError
  const path = fault.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const missing = fault.params.missingProperty ?? fault.params.additionalProperty
  const field = [path, missing].filter(Boolean).join('.')
  return invalid(field || (part === 'body' ? 'body' : 'query'), sentence(fault, faults))
}

function sentence(
  { keyword, params, message, instancePath }: FastifySchemaValidationError,
  faults: readonly FastifySchemaValidationError[],
): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${String(params.allowedValue)}`
    case 'anyOf':
      return oneOf(faults.filter((it) => it.instancePath === instancePath && it.keyword !== 'anyOf'))
    case 'format':
      return params.format === 'uuid' ? 'must be a UUID' : `must be written as ${String(params.format)}`
    case 'minimum':
      return `must be at least ${String(params.limit)}`
    case 'maximum':
      return `must be at most ${String(params.limit)}`
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return `must have ${sizeAllowed(keyword, Number(params.limit))}`
    default:
      return message ?? 'is not allowed'
  }
}

function sizeAllowed(keyword: string, limit: number): string {
  const unit = keyword.endsWith('Items') ? 'item' : 'character'
  return `at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} ${limit === 1 ? unit : `${unit}s`}`
}

/** A union faults once for each of its forms; a literal of which the type is another faults for that, too. */
function oneOf(faults: readonly FastifySchemaValidationError[]): string {
  const literals = new Set(
    faults.flatMap(({ keyword, params }) => (keyword === 'const' ? [typeof params.allowedValue] : [])),
  )
  const forms = faults.filter(
    ({ keyword, params }) => keyword !== 'type' || ![...literals].some((it) => it === params.type),
  )
  if (forms.length > 0 && forms.every(({ keyword }) => keyword === 'const'))
    return `must be one of ${forms.map(({ params }) => String(params.allowedValue)).join(', ')}`
  const said = [...new Set(forms.map((it) => sentence(it, [])))]
  const [first, ...others] = said.filter((it) => it.startsWith('must '))
  if (first === undefined) return 'has none of the forms that are allowed'
  return [first, ...others.map((it) => it.replace(/^must be /, ''))].join(' or ')
}
