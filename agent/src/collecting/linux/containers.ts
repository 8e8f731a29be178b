import { isObject, present, textIn, type Json } from '../../json.ts'
import { requestOver } from '../../wire/http-request.ts'
import type { Machine } from '../machine.ts'

const SOCKETS = [
  ['docker', '/run', 'docker.sock'],
  ['podman', '/run/podman', 'podman.sock'],
] as const
const TIMEOUT_MS = 5_000
const BYTES_MAX = 4 * 1_048_576
const LIST_MAX = 500

/** Containers that run, by the read-only question that Docker's API and Podman's both answer. */
export async function containers(machine: Machine): Promise<Json | undefined> {
  const lists: Json[] = []
  let isFound = false
  for (const [engine, folder, name] of SOCKETS) {
    if (!(await machine.list(folder)).includes(name)) continue
    isFound = true
    lists.push(...containersIn(await ask(`${folder}/${name}`, '/v1.41/containers/json'), engine))
  }
  return isFound ? lists.slice(0, LIST_MAX) : undefined
}

export function containersIn(text: string, engine: string): Json[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) return []
  return (list as unknown[]).filter(isObject).map((it) => {
    const names = Array.isArray(it['Names']) ? (it['Names'] as unknown[]) : []
    return present({
      engine,
      id: textIn(it['Id']).slice(0, 12),
      name: textIn(names[0]).replace(/^\//, ''),
      image: textIn(it['Image']),
      imageId: textIn(it['ImageID']),
    })
  })
}

function ask(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const request = requestOver('http:')
    const question = request({ socketPath, path, signal, headers: { host: 'localhost' } }, (answer) => {
      const chunks: Buffer[] = []
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > BYTES_MAX) answer.destroy(new Error('the list of containers is too long'))
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    question.on('error', reject)
    question.end()
  })
}
