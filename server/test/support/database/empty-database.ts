import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'

/** Without tables; gone with the test. */
export async function emptyDatabase(): Promise<DatabaseAddress> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const { user } = inject('owner')
  await withClient(inject('superuser'), (client) => client.query(`create database ${name} owner ${user}`))
  onTestFinished(async () => {
    await withClient(inject('superuser'), (client) => client.query(`drop database ${name} with (force)`))
  })
  return { ...inject('owner'), database: name }
}

export async function withClient<T>(
  where: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
