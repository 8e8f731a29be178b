import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../src/platform/database/address.ts'

declare module 'vitest' {
  /** What `test-database.ts` provides, which runs before all tests. */
  export interface ProvidedContext {
    superuser: DatabaseAddress
    owner: DatabaseAddress
  }
}

/** Registers what ends something. */
export type AtEnd = (end: () => Promise<void>) => void

const TEMPLATE = 'rollcall'

/** A copy of the migrated template, dropped at the end. */
export async function freshDatabase(atEnd: AtEnd = onTestFinished): Promise<DatabaseAddress> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(
    `create database ${name} template ${TEMPLATE} strategy file_copy owner ${inject('owner').user}`,
  )
  atEnd(() => asSuperuser(`drop database if exists ${name} with (force)`))
  return { ...inject('owner'), database: name }
}

/** For processes of one installation on a database that exists. */
export function databaseUrl({
  host = '',
  port = 0,
  user = '',
  password,
  database = '',
}: DatabaseAddress): string {
  const url = new URL('postgresql://localhost')
  url.pathname = database
  url.username = user
  url.password = typeof password === 'string' ? password : ''
  url.searchParams.set('host', host)
  url.searchParams.set('port', String(port))
  return url.href
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
