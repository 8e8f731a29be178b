import { join } from 'node:path'
import { isObject, textIn, type JsonObject } from '../json.ts'
import { readJson, writeJson } from '../state/durable-file.ts'
import { isNewer } from './version-order.ts'

/** Which version runs on this host. Without the file it is the one that was installed. */
export interface UpdateState {
  /** The greatest that was ever begun: none that is as old or older is taken. Empty: none. */
  readonly greatest: string
  /** The version that runs instead of the installed one; empty: none. */
  readonly running: string
  /** It has had a report accepted. */
  readonly isConfirmed: boolean
  /** Rounds that it has begun before that. */
  readonly tries: number
  /** What ran before it; empty: the installed one. */
  readonly before: string
  /** The version that had no report accepted and was taken back; empty: none. Told with the next report. */
  readonly takenBack: string
  /** The version before had no report accepted either since then: it is the server that was away. */
  readonly isServerAway: boolean
}

const NOTHING: UpdateState = {
  greatest: '',
  running: '',
  isConfirmed: false,
  tries: 0,
  before: '',
  takenBack: '',
  isServerAway: false,
}

const TRIES_MAX = 3

const pathIn = (folder: string): string => join(folder, 'update.json')

/** Where a version stands. */
export const versionFolder = (folder: string, version: string): string => join(folder, 'versions', version)

/** A file that cannot be read stands for the installed version. */
export function readUpdateState(folder: string): UpdateState {
  try {
    const stored = readJson(pathIn(folder))
    if (!isObject(stored)) return NOTHING
    const versions = ['greatest', 'running', 'before', 'takenBack'].map((it) => [it, textIn(stored[it])])
    return {
      ...NOTHING,
      ...(Object.fromEntries(versions) as Partial<UpdateState>),
      isConfirmed: stored['isConfirmed'] === true,
      isServerAway: stored['isServerAway'] === true,
      tries: Number(stored['tries']) || 0,
    }
  } catch {
    return NOTHING
  }
}

const write = (folder: string, state: UpdateState): void =>
  writeJson(pathIn(folder), { ...state } as JsonObject)

/** A new version begins with the next round. */
export function begin(folder: string, version: string): void {
  const state = readUpdateState(folder)
  write(folder, { ...NOTHING, greatest: version, running: version, before: state.running })
}

/**
 * The version to run, by the one that is installed (`own`); empty: that one. With `isRound` a report is about to be made: a
 * version that has begun three without one that was accepted is taken back.
 */
export function versionToRun(folder: string, own: string, isRound: boolean): string {
  const state = readUpdateState(folder)
  if (state.running === '' || !isNewer(state.running, own)) return ''
  if (state.isConfirmed || !isRound) return state.running
  if (state.tries < TRIES_MAX) {
    write(folder, { ...state, tries: state.tries + 1 })
    return state.running
  }
  takeBack(folder, state)
  return isNewer(state.before, own) ? state.before : ''
}

/** A version that cannot even be started goes at once. */
export function giveUp(folder: string): void {
  takeBack(folder, readUpdateState(folder))
}

function takeBack(folder: string, state: UpdateState): void {
  write(folder, {
    ...NOTHING,
    greatest: state.greatest,
    running: state.before,
    isConfirmed: true,
    takenBack: state.running,
  })
}

/**
 * Notes what came of a report that the version `own` made. A version that was taken back because the server was away is tried
 * again once the server is back.
 */
export function noteRound(folder: string, own: string, isAccepted: boolean): void {
  const state = readUpdateState(folder)
  if (state.takenBack !== '') {
    if (!isAccepted) write(folder, { ...state, isServerAway: true })
    else if (state.isServerAway)
      write(folder, { ...NOTHING, greatest: state.greatest, running: state.takenBack, before: state.running })
    else write(folder, { ...state, takenBack: '' })
    return
  }
  if (isAccepted && state.running === own && !state.isConfirmed)
    write(folder, { ...state, isConfirmed: true, tries: 0 })
}

/** What the next report says of it; undefined: nothing. */
export function takenBackToTell(folder: string): string | undefined {
  const { takenBack, isServerAway } = readUpdateState(folder)
  return takenBack === '' || isServerAway ? undefined : takenBack
}
