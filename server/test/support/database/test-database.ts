import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { startPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { quickFolder } from './quick-folder.ts'
import { startSystemPostgres } from './start-system-postgres.ts'

const SETTINGS = ['fsync=off', 'max_connections=200', 'jit=off']
export const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/**
 * One PostgreSQL for the whole run, with one migrated database from which each test file gets a copy: the embedded one, or
 * that whose programs are in the folder TEST_POSTGRES_BIN.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await quickFolder('rollcall-test-')
  const binaries = process.env['TEST_POSTGRES_BIN']
  const postgres = binaries
    ? await startSystemPostgres(binaries, folder, SETTINGS)
    : await startPostgres(folder, SETTINGS)
  const cleanUp = async () => {
    await endSessions(postgres.superuser)
    await postgres.release()
    await rm(folder, { recursive: true, force: true })
  }
  await migrate(postgres.where, MIGRATIONS).catch(async (error: unknown) => {
    await cleanUp()
    throw error
  })
  project.provide('superuser', postgres.superuser)
  project.provide('owner', postgres.where)
  return cleanUp
}

async function endSessions(superuser: DatabaseAddress): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
  )
  await client.end()
}
