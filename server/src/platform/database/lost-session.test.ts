import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { openDatabase } from './database.ts'

test('the loss of a session is reported, and ends neither the process nor the sessions beside it', async () => {
  const { where } = await testApp()
  const onError = vi.fn<(error: Error) => void>()
  const database = openDatabase(where, { onError })
  onTestFinished(() => database.close())
  const [lost, other] = [await database.session(), await database.session()]
  onTestFinished(() => other.end())
  const answer = await lost.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise<void>((resolve) => lost.once('end', resolve))
  const client = new pg.Client(where)
  await client.connect()
  await client.query('select pg_terminate_backend($1)', [answer.rows[0]?.pid])
  await client.end()
  await ended
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: '57P01' }))
  expect((await other.query<{ zone: string }>(`select current_setting('timezone') as zone`)).rows).toEqual([
    { zone: 'UTC' },
  ])
})
