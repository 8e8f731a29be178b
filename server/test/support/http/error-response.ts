import { expect } from 'vitest'

const number: unknown = expect.stringMatching(/^\d+$/)

export const rateLimitHeaders = {
  'x-ratelimit-limit': number,
  'x-ratelimit-remaining': number,
  'x-ratelimit-reset': number,
}

/** What every refusal of the REST API looks like: `expect(answer).toEqual(flat(404, 'not_found', '…'))`. */
export const restError = (status: number, error: string, message: unknown = expect.any(String)): unknown =>
  expect.objectContaining({
    status,
    body: { error, message },
    headers: expect.objectContaining(rateLimitHeaders) as unknown,
  })
