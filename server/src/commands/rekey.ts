import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { features } from '../app.ts'
import type { Config } from '../config.ts'
import { openRuntime, type Runtime } from '../startup/runtime.ts'
import { secretKeyIn } from '../startup/secret-key.ts'
import { reachDatabase } from '../startup/installation.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { installationSealed, keyState } from '#platform/secrets/installation-key.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { listNodes } from '#platform/jobs/cluster-members.ts'
import { reseal } from '#platform/secrets/reseal.ts'
import { openSeal } from '#platform/secrets/seal.ts'

const KEY_LENGTH_MIN = 32

/**
 * Encrypts all stored secrets with another SECRET_KEY, in one transaction: a kill leaves the old key or the new one in
 * force. Run again after a kill, it does what is left to do.
 */
export async function rekey(config: Config, newKeyFile: string): Promise<CommandResult> {
  const newKey = (await readFile(newKeyFile, 'utf8').catch(() => '')).trim()
  if (newKey.length < KEY_LENGTH_MIN)
    throw invalid('new-key-file', `must hold a key of at least ${KEY_LENGTH_MIN} characters`)
  const oldKey = config.secretKey ?? (await secretKeyIn(config.dataDir))
  const { where, postgres } = await reachDatabase(config)
  try {
    const count = await moved(where, oldKey, newKey)
    const file = config.secretKey === undefined ? join(config.dataDir, 'secret.key') : undefined
    if (file !== undefined) await replaced(file, newKey)
    const next = file === undefined ? 'Give every node the new SECRET_KEY now.' : `${file} holds the new key.`
    return {
      json: { resealed: count, key_file: file ?? null },
      text: `${count} secrets stand under the new key. ${next} Backups from before need the old one.`,
    }
  } finally {
    await postgres?.release()
  }
}

/** 0 when that was done before. */
async function moved(where: DatabaseAddress, oldKey: string, newKey: string): Promise<number> {
  return within(where, oldKey, async ({ system }) => {
    const state = await keyState(system)
    if (state !== 'same') {
      const isDone = await within(
        where,
        newKey,
        async (runtime) => (await keyState(runtime.system)) === 'same',
      )
      if (isDone) return 0
      throw conflict('SECRET_KEY is not the key that sealed the stored secrets of this database')
    }
    const nodes = await listNodes(system)
    if (nodes.length > 0) {
      const who = nodes.map(({ host, pid }) => `${host} (${pid})`).join(', ')
      throw conflict(`stop every server first; running, or heard of in the last 30 seconds: ${who}`)
    }
    const columns = [...installationSealed, ...features.flatMap((it) => it.sealed ?? [])]
    const seals = { from: openSeal(oldKey), to: openSeal(newKey) }
    return system.db.transaction((db) => reseal({ ...system, db }, columns, seals))
  })
}

async function within<T>(
  where: DatabaseAddress,
  secretKey: string,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const net = openNet({ allowPrivate: [], own: [] })
  const runtime = openRuntime({ where, secretKey, features, net, log: openLog('warn') })
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
    await net.close()
  }
}

/** Whole or not at all. */
async function replaced(file: string, key: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${key}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
}
