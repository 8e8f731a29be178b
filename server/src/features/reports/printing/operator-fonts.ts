import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#platform/errors.ts'

/** A font with which a file may be made: the same one makes it again. */
export interface FontFile {
  /** In the folder of the operator. */
  readonly name: string
  /** SHA-256 of its content, hexadecimal. */
  readonly digest: string
}

const FONT = /\.(ttf|otf|ttc|otc)$/i
export const FONTS_MAX = 20
const BYTES_MAX = 67_108_864

export interface FoundFonts {
  /** By name. */
  readonly fonts: readonly FontFile[]
  /** Why some or all are missing, for the cover. */
  readonly notes: readonly string[]
}

/** The fonts of the folder that REPORT_FONTS names; none without one. */
export async function fontsIn(folder: string | undefined): Promise<FoundFonts> {
  if (folder === undefined) return { fonts: [], notes: [] }
  try {
    const { names, leftOut } = await chosenIn(folder)
    const fonts: FontFile[] = []
    for (const name of names) fonts.push({ name, digest: digestOf(await readFile(join(folder, name))) })
    const notes =
      leftOut.length === 0
        ? []
        : [`Fonts of the operator that were left out, beyond ${FONTS_MAX} or 64 MB: ${leftOut.join(', ')}.`]
    return { fonts, notes }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error'
    return {
      fonts: [],
      notes: [`The fonts of the operator cannot be read (${code}); those of the product were used.`],
    }
  }
}

/** Names of the first fonts of a folder, without those that are too large. */
export async function chosenIn(folder: string): Promise<{ names: string[]; leftOut: string[] }> {
  const all = (await readdir(folder)).filter((it) => FONT.test(it)).sort()
  const names: string[] = []
  const leftOut = all.slice(FONTS_MAX)
  for (const name of all.slice(0, FONTS_MAX))
    ((await stat(join(folder, name))).size > BYTES_MAX ? leftOut : names).push(name)
  return { names, leftOut }
}

/** Readers of the fonts named, which are read when the first character needs one. */
export function fontReaders(
  folder: string | undefined,
  fonts: readonly FontFile[] = [],
): (() => Uint8Array)[] {
  return fonts.map(({ name, digest }) => () => {
    const content = contentOf(folder, name)
    if (content && digestOf(content) === digest) return content
    throw new Refusal(
      500,
      'report_failed',
      `the font ${name}, with which the report is made, is not in the folder of REPORT_FONTS, or is another one now`,
    )
  })
}

function contentOf(folder: string | undefined, name: string): Buffer | undefined {
  if (folder === undefined) return undefined
  try {
    return readFileSync(join(folder, name))
  } catch {
    return undefined
  }
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
