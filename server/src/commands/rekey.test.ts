import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createCredential, lendTo } from '#features/credentials/credentials.ts'
import { createEndpoint, rotateSecret, testEndpoint } from '#features/webhooks/webhooks.ts'
import { announceNode } from '#platform/jobs/cluster-members.ts'
import { adoptKey, keyState } from '#platform/secrets/installation-key.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { features } from '../app.ts'
import { readConfig } from '../config.ts'
import { rekey } from './rekey.ts'

const OLD = 'the old key of this installation, 32 and more'
const NEW = 'the new key of this installation, 32 and more'

async function scene(keyInFile: boolean) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rekey-'))
  onTestFinished(() => rm(dataDir, { recursive: true, maxRetries: 10 }))
  const { runtime, where, newTenant } = await testApp({ secretKey: OLD })
  await adoptKey(runtime.system)
  const { host, port, user, password, database } = where
  const url = new URL(`postgresql://x/${database}`)
  url.username = user ?? ''
  if (typeof password === 'string') url.password = password
  if (host?.startsWith('/')) url.searchParams.set('host', host)
  else url.hostname = host ?? '127.0.0.1'
  if (port !== undefined) url.port = String(port)
  const newKeyFile = join(dataDir, 'new.key')
  await writeFile(newKeyFile, `${NEW}\n`)
  if (keyInFile) await writeFile(join(dataDir, 'secret.key'), `${OLD}\n`)
  const config = {
    ...readConfig({}),
    databaseUrl: url.href,
    dataDir,
    secretKey: keyInFile ? undefined : OLD,
  }
  return { runtime, where, newTenant, config, newKeyFile, dataDir }
}

test('another SECRET_KEY opens what the old one sealed, and the old one no more', async () => {
  const { runtime, where, newTenant, config, newKeyFile, dataDir } = await scene(true)
  const ctx = await newTenant()
  const there = await receiver()
  const { endpoint } = await createEndpoint(ctx, { name: 'w', url: there.url, events: ['UNLINK'] })
  await rotateSecret(ctx, endpoint.id)
  const password = randomBytes(8).toString('hex')
  await createCredential(ctx, {
    name: 'c',
    kind: 'ssh_password',
    cidrs: ['10.0.0.0/8'],
    targetIds: [],
    values: { username: 'u', password },
  })
  const { json } = await rekey(config, newKeyFile)
  expect(json).toEqual({ resealed: 3, key_file: join(dataDir, 'secret.key') })
  expect((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()).toBe(NEW)
  expect(await keyState(runtime.system)).toBe('another')
  const after = await testApp({ secretKey: NEW, where })
  expect(await keyState(after.runtime.system)).toBe('same')
  const mine = after.runtime.contextFor(ctx.tenantId)
  const scan = lendTo(mine, { scanId: 's', targetId: null, startedBy: null, covers: () => true })
  expect(await scan.credentialsFor('10.0.0.1', ['ssh_password'])).toMatchObject([{ password }])
  expect(await testEndpoint(mine, endpoint.id)).toMatchObject({ success: true })
  // after a kill between the commit and the file
  await writeFile(join(dataDir, 'secret.key'), `${OLD}\n`)
  expect((await rekey(config, newKeyFile)).json).toMatchObject({ resealed: 0 })
  expect((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()).toBe(NEW)
})

test('it is refused while a server runs, with a short key, and with a key that sealed nothing here', async () => {
  const { runtime, config, newKeyFile } = await scene(false)
  const node = await announceNode(runtime.system, ['api'])
  await expect(rekey(config, newKeyFile)).rejects.toThrow(/stop every server first/)
  await node.stop()
  await expect(rekey({ ...config, secretKey: 'x'.repeat(40) }, newKeyFile)).rejects.toThrow(/not the key/)
  await writeFile(newKeyFile, 'short')
  await expect(rekey(config, newKeyFile)).rejects.toThrow(/at least 32/)
  expect(await keyState(runtime.system)).toBe('same')
})

test('every sealed column that there is, is on the list', async () => {
  const { runtime } = await testApp()
  const columns = features.flatMap((it) => it.sealed ?? [])
  for (const { table, key, column } of columns) {
    const names = [...key, column].map((it) => sql.ref(it))
    await runtime.system.db.all(sql`select ${sql.join(names)} from ${sql.table(table)} limit 0`)
  }
  const bytes = await runtime.system.db.all(sql<{ name: string }>`
    select distinct table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'sealed|secret|wrapped|api_key'`)
  const listed = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  // what stands under a data key is sealed by it, and not by SECRET_KEY
  const others = bytes
    .map((it) => it.name)
    .filter((it) => it !== 'credentials.secret_sealed' && !listed.has(it))
  expect(others).toEqual([])
})
