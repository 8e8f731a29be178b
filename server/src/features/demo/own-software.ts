import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { importFile } from '#features/imports/imports.ts'
import type { Ctx } from '#platform/context.ts'

/** Beside the server in a package; sources have none. */
const BILL = join(import.meta.dirname, '../../../../sbom.cdx.json')

/** The company runs Rollcall, too: the packages of this very installation, from its bill of materials. False without one. */
export async function addOwnSoftware(ctx: Ctx, path: string = BILL): Promise<boolean> {
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    await importFile(ctx, {
      name: 'sbom.cdx.json',
      content: file.createReadStream(),
      host: 'rollcall-itself',
    })
    return true
  } finally {
    await file.close()
  }
}
