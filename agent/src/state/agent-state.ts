import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../json.ts'
import { keyFrom, type AgentKey } from '../wire/signature.ts'
import { readJson, writeJson } from './durable-file.ts'

/** Who this host is to its server. Lost with the file `identity.json`. */
export interface Identity {
  readonly server: string
  readonly agentId: string
  readonly key: AgentKey
  /** A new key that the server may have taken already: sent again until it answers. */
  readonly nextKey?: AgentKey
}

/** What the next round needs to know of the rounds before. Without it everything is sent again. */
export interface Progress {
  /** No request was sent with a greater counter. */
  readonly counter: number
  readonly clockOffset: number
  /** Of the sections that the server has. */
  readonly acknowledged: Readonly<Record<string, string>>
  /** By section: what told that it is unchanged, and its hash then. */
  readonly stamps: Readonly<Record<string, { readonly stamp: string; readonly hash: string }>>
  /** Rounds without success since the last one that had it. */
  readonly failures: number
  /** Milliseconds since 1970. */
  readonly nextAt: number
  readonly fullAt: number
}

export const FRESH: Progress = {
  counter: 0,
  clockOffset: 0,
  acknowledged: {},
  stamps: {},
  failures: 0,
  nextAt: 0,
  fullAt: 0,
}

/** Where the state stands unless `--state` names another folder. */
export function defaultFolder(): string {
  if (process.platform === 'win32') return 'C:\\ProgramData\\Rollcall Agent'
  if (process.getuid?.() !== 0) return join(homedir(), '.local/state/rollcall-agent')
  return process.platform === 'darwin'
    ? '/Library/Application Support/Rollcall Agent'
    : '/var/lib/rollcall-agent'
}

export function readIdentity(folder: string): Identity | undefined {
  const stored = readJson(join(folder, IDENTITY))
  if (!isObject(stored)) return undefined
  const { server, agentId, seed, nextSeed } = stored
  if (typeof server !== 'string' || typeof agentId !== 'string' || typeof seed !== 'string')
    throw new Error(`${join(folder, IDENTITY)} is damaged: run forget, then enrol again`)
  return {
    server,
    agentId,
    key: keyFrom(Buffer.from(seed, 'base64')),
    ...(typeof nextSeed === 'string' && { nextKey: keyFrom(Buffer.from(nextSeed, 'base64')) }),
  }
}

export const writeIdentity = (folder: string, { server, agentId, key, nextKey }: Identity): void =>
  writeJson(join(folder, IDENTITY), {
    server,
    agentId,
    seed: key.seed.toString('base64'),
    ...(nextKey && { nextSeed: nextKey.seed.toString('base64') }),
  })

/** A key that a server may have taken already: the same is sent again until it answers, so the host enrols once. */
export function readEnrolment(folder: string, server: string): AgentKey | undefined {
  const stored = readJson(join(folder, ENROLMENT))
  if (!isObject(stored) || stored['server'] !== server || typeof stored['seed'] !== 'string') return undefined
  return keyFrom(Buffer.from(stored['seed'], 'base64'))
}

export const writeEnrolment = (folder: string, server: string, key: AgentKey): void =>
  writeJson(join(folder, ENROLMENT), { server, seed: key.seed.toString('base64') })

export const endEnrolment = (folder: string): void => rmSync(join(folder, ENROLMENT), { force: true })

/** A file that cannot be read costs one full report. */
export function readProgress(folder: string): Progress {
  try {
    const stored = readJson(join(folder, PROGRESS))
    return isObject(stored) ? { ...FRESH, ...stored } : FRESH
  } catch {
    return FRESH
  }
}

export const writeProgress = (folder: string, progress: Progress): void =>
  writeJson(join(folder, PROGRESS), { ...progress })

/** For a host that leaves, and before an image is made of it. */
export function forget(folder: string): void {
  for (const name of [IDENTITY, PROGRESS, ENROLMENT, 'software.json'])
    rmSync(join(folder, name), { force: true })
}

const IDENTITY = 'identity.json'
const PROGRESS = 'progress.json'
const ENROLMENT = 'enrolment.json'
