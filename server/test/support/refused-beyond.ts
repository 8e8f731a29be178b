import { Refusal } from '#platform/errors.ts'

/** The field that a refusal names when `write` is given one more than `most`, which it takes. */
export async function refusedBeyond(
  most: number,
  write: (size: number) => unknown,
): Promise<string | undefined> {
  await write(most)
  try {
    await write(most + 1)
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.extras.field
    throw error
  }
  return undefined
}
