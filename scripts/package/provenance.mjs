import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { ROOT } from '../install.mjs'

/** What the package was made from: an in-toto statement with the predicate of SLSA. It is not signed. */
export function provenanceOf({ subjects, platform, source, builtAt }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:rollcall:npm-run-package:v1',
        externalParameters: { platform, sourceChanged: source.isChanged },
        resolvedDependencies: [
          ...(source.commit ? [{ uri: 'git+urn:rollcall', digest: { gitCommit: source.commit } }] : []),
          { name: 'package-lock.json', digest: { sha256: sha256Of(join(ROOT, 'package-lock.json')) } },
        ],
      },
      runDetails: { builder: { id: 'urn:rollcall:npm-run-package' }, metadata: { finishedOn: builtAt } },
    },
  }
}

export const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The commit, whether files differ from it, and its time, which is the time of everything in the package. */
export function readSource() {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const [commit, seconds] = git('log', '-1', '--format=%H %ct')?.split(' ') ?? []
  const isChanged = commit === undefined || git('status', '--porcelain') !== ''
  return { commit, isChanged, seconds: Number(process.env.SOURCE_DATE_EPOCH ?? seconds ?? 0) }
}
