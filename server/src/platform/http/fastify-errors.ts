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
  fault: FastifySchemaValidationError,
  faults: readonly FastifySchemaValidationError[],
): string {
  switch (fault.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field'
    case 'enum':
      return `must be one of ${(fault.params.allowedValues as unknown[]).join(', ')}`
    case 'anyOf':
      return oneOf(faults.filter(({ keyword }) => keyword === 'const'))
    default:
      return fault.message ?? 'is not allowed'
  }
}

/** A union of literals faults once for each of them. */
function oneOf(consts: readonly FastifySchemaValidationError[]): string {
  if (consts.length === 0) return 'has none of the forms that are allowed'
  return `must be one of ${consts.map(({ params }) => String(params.allowedValue)).join(', ')}`
}
