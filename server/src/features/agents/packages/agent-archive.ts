import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { mkdtemp, open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { agentFiles } from './agent-files.ts'
import { nodeOf, type AgentPlatform } from './agent-platforms.ts'
import { loadedProgram } from './loaded-program.ts'
import { TAR_END, tarHeader, tarPadding } from '#platform/archives/tar-entry.ts'

const FOLDER = 'rollcall-agent'
const GZIP_LEVEL = 6

export interface AgentArchive extends AsyncDisposable {
  readonly size: number
  /** From its beginning; any number of them at the same time. */
  readonly content: () => ReadStream
}

/**
 * Makes the archive of a platform from the files of this installation: the agent, and the Node of the platform where npm
 * has installed it. It stands in a file without a name, which the system removes with the process.
 */
export async function makeArchive(platform: AgentPlatform): Promise<AgentArchive> {
  const file = await namelessFile()
  try {
    await pipeline(
      Readable.from(archiveOf(platform)),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream('', { fd: file.fd, autoClose: false }),
    )
    const { size } = await file.stat()
    return { size, content: () => readerOf(file), [Symbol.asyncDispose]: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Its name is gone before anything is written: a process that is killed meanwhile leaves nothing. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-archive-'))
  try {
    return await open(join(folder, 'archive'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const readerOf = ({ fd }: FileHandle): ReadStream => createReadStream('', { fd, autoClose: false, start: 0 })

async function* archiveOf(platform: AgentPlatform): AsyncGenerator<Buffer> {
  for (const { path, content, isProgram } of agentFiles()) {
    yield tarHeader({ path: `${FOLDER}/${path}`, size: content.length, isProgram })
    yield content
    yield tarPadding(content.length)
  }
  const node = nodeOf(platform)
  if (node) {
    yield* nodeEntry(node.program)
    yield* licenceEntry(node.licence)
  }
  yield TAR_END
}

async function* nodeEntry(path: string): AsyncGenerator<Buffer> {
  const { size, content } = await loadedProgram(path)
  yield tarHeader({ path: `${FOLDER}/node`, size, isProgram: true })
  yield* content()
  yield tarPadding(size)
}

async function* licenceEntry(path: string): AsyncGenerator<Buffer> {
  const content = await readFile(path)
  yield tarHeader({ path: `${FOLDER}/LICENSE.node`, size: content.length, isProgram: false })
  yield content
  yield tarPadding(content.length)
}
