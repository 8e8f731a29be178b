import { expect } from 'vitest'

const number: unknown = expect.stringMatching(/^\d+$/)

export const rateHeaders = {
  'x-ratelimit-limit': number,
  'x-ratelimit-remaining': number,
  'x-ratelimit-reset': number,
}

/** What every refusal of the REST API looks like: `expect(answer).toEqual(flat(404, 'not_found', '…'))`. */
export const flat = (status: number, error: string, message: unknown = expect.any(String)): unknown =>
  expect.objectContaining({
    status,
    body: { error, message },
    headers: expect.objectContaining(rateHeaders) as unknown,
  })
