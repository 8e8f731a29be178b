import { readFile } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { MIGRATIONS } from '../../startup/migrations.ts'
import { secretKeyIn } from '../../startup/secret-key.ts'
import { parseDatabaseUrl, type DatabaseAddress } from '#platform/database/address.ts'
import { withOwner } from '#platform/database/connect-primary.ts'
import { migrationDigests } from '#platform/database/migrate.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { opensKeyCheck } from '#platform/secrets/installation-key.ts'

/** The installation to which a tenant goes. */
export interface OtherCell {
  readonly where: DatabaseAddress
  readonly cell: number
  readonly address: string
  readonly secretKey: string
}

export interface OtherCellOptions {
  readonly to: string
  readonly address: string | undefined
  readonly keyFile: string | undefined
}

/** Throws what has to be put right before anything is moved there. */
export async function otherCell(
  config: Config,
  { to, address, keyFile }: OtherCellOptions,
): Promise<OtherCell> {
  if (config.cell === undefined)
    throw conflict('CELL is missing: give every installation a number of its own first')
  const where = addressOf(to)
  const { cell, key_check: keyCheck } = await headOf(where)
  if (cell === null) throw conflict('the other installation has no number yet; start it once with CELL set')
  if (cell === config.cell) throw conflict(`the other installation is cell ${cell} as well`)
  const site = address ?? config.cellAddresses?.get(cell)
  if (site === undefined)
    throw invalid('address', `is needed: CELL_ADDRESSES does not say where cell ${cell} is reached`)
  return { where, cell, address: site, secretKey: await keyOf(config, keyCheck, keyFile) }
}

function addressOf(to: string): DatabaseAddress {
  try {
    return parseDatabaseUrl(to)
  } catch (error) {
    throw invalid('to', (error as Error).message)
  }
}

interface Head {
  readonly cell: number | null
  /** Base64. */
  readonly key_check: string
}

async function headOf(where: DatabaseAddress): Promise<Head> {
  const ours = await migrationDigests(MIGRATIONS)
  return withOwner(where, async (client) => {
    const { rows: known } = await client.query<{ is_there: boolean }>(
      `select to_regclass('public.migrations') is not null as is_there`,
    )
    if (!known[0]?.is_there) throw conflict('there is no installation at --to; start it once with CELL set')
    const { rows } = await client.query<{ name: string; digest: string }>(
      'select name, digest from migrations',
    )
    const isSame = rows.length === ours.size && rows.every(({ name, digest }) => ours.get(name) === digest)
    if (!isSame)
      throw conflict('the other installation is of another version; bring both to the same one first')
    const found = await client.query<Head>(
      `select cell, encode(key_check, 'base64') as key_check from installation`,
    )
    if (!found.rows[0])
      throw conflict('the other installation was never started; start it once with CELL set')
    return found.rows[0]
  })
}

/** Sealed values are opened with the key here and sealed with the key there. */
async function keyOf(config: Config, keyCheck: string, keyFile: string | undefined): Promise<string> {
  if (keyFile === undefined) {
    const own = config.secretKey ?? (await secretKeyIn(config.dataDir))
    if (opensKeyCheck(own, keyCheck)) return own
    throw invalid(
      'key-file',
      'is needed: the other installation has another SECRET_KEY; name the file that holds it',
    )
  }
  const other = (await readFile(keyFile, 'utf8').catch(() => '')).trim()
  if (!opensKeyCheck(other, keyCheck))
    throw invalid('key-file', 'does not hold the SECRET_KEY of the other installation')
  return other
}
