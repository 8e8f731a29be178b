import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { addRelease, listReleases, setRollout } from '../agents.ts'
import { archiveName, RELEASE_FILE } from './make-release.ts'
import type { Release, Rollout } from './release-store.ts'
import type { SignedRelease } from './signed-release.ts'

const rollouts: readonly Rollout[] = [0, 1, 10, 100]

/** Of the installation: a release is the same for all its organisations. */
export const releaseCommands: readonly Command[] = [
  {
    path: 'agent release add',
    args: ['folder'],
    help: 'takes a signed version of our own agent, as agent release sign made it; no agent is told of it yet',
    async run(system, { args }) {
      const folder = args['folder'] ?? ''
      const { version, files } = await addRelease(system, {
        release: releaseIn(folder),
        archive: (platform) => fileIn(folder, archiveName(platform)),
      })
      const platforms = Object.keys(files)
      return {
        json: { version, platforms },
        text: `Release ${version} for ${platforms.join(', ')}. Agents take it after: rollcall agent release rollout ${version} 1`,
      }
    },
  },
  {
    path: 'agent release rollout',
    args: ['version', 'percent'],
    help: 'so many of a hundred agents update themselves to the version: 1, 10, 100, or 0 to end it; it stops by itself when over 2 % go back',
    async run(system, { args }) {
      const rollout = rollouts.find((it) => String(it) === args['percent'])
      if (rollout === undefined) throw invalid('percent', `must be one of ${rollouts.join(', ')}`)
      const release = await setRollout(system, args['version'] ?? '', rollout)
      return { json: releaseJson(release), text: releaseLine(release) }
    },
  },
  {
    path: 'agent release list',
    help: 'versions that agents can be updated to, how many were told of them, and how many went back',
    async run(system) {
      const all = await listReleases(system)
      return { json: all.map(releaseJson), text: all.map(releaseLine).join('\n') }
    },
  },
]

function releaseIn(folder: string): SignedRelease {
  try {
    return JSON.parse(fileIn(folder, RELEASE_FILE).toString('utf8')) as SignedRelease
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('folder', `${RELEASE_FILE} is not JSON`)
    throw error
  }
}

function fileIn(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name))
  } catch (error) {
    throw invalid('folder', `${name} cannot be read: ${(error as Error).message}`)
  }
}

const releaseJson = ({ version, rollout, offered, takenBack, stoppedAt, addedAt }: Release) => ({
  version,
  rollout,
  offered,
  taken_back: takenBack,
  stopped_at: stoppedAt,
  added_at: addedAt,
})

function releaseLine({ version, rollout, offered, takenBack, stoppedAt }: Release): string {
  const state = stoppedAt === null ? `${rollout} % of the agents` : `stopped at ${stoppedAt}`
  return `${version}  ${state}, told to ${offered}, ${takenBack} went back`
}
