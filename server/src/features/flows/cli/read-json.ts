import { readFile } from 'node:fs/promises'
import { invalid } from '#platform/errors.ts'

/** Throws 400, which names the file, for what cannot be read. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw invalid('file', `${path} cannot be read`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid('file', `${path} is no JSON: ${(error as Error).message}`)
  }
}
