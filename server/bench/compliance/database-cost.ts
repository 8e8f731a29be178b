import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { statFieldsOf } from '../process-stat.ts'

/** Linux counts the time of processes in hundredths of a second (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100
/** Of the fields of /proc/PID/stat behind the name in brackets. */
const PARENT = 1
const OWN_TICKS = [11, 12] as const
const ENDED_CHILDREN_TICKS = [13, 14] as const

/** Seconds of CPU that the database has used so far: of its processes, and of those that ended. */
export type DatabaseClock = () => number

export async function databaseClock(superuser: DatabaseAddress): Promise<DatabaseClock> {
  const client = new pg.Client(superuser)
  await client.connect()
  const { rows } = await client.query<{ folder: string }>(
    'select setting as folder from pg_settings where name = $1',
    ['data_directory'],
  )
  await client.end()
  const [pid = ''] = readFileSync(join(rows[0]?.folder ?? '', 'postmaster.pid'), 'utf8').split('\n')
  return () => {
    const ended = sum(statFieldsOf(pid), [...OWN_TICKS, ...ENDED_CHILDREN_TICKS])
    const living = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statFieldsOf)
      .filter((fields) => fields[PARENT] === pid)
    return (ended + living.reduce((total, fields) => total + sum(fields, OWN_TICKS), 0)) / TICKS_PER_SECOND
  }
}

const sum = (fields: readonly string[], places: readonly number[]): number =>
  places.reduce((total, at) => total + Number(fields[at] ?? 0), 0)
