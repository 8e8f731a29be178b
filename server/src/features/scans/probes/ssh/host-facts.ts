import type { Json } from '#features/assets/observation.ts'
import { accountsIn, containersIn, listeningIn, servicesIn } from './read-activity.ts'
import type { Interface } from './read-network.ts'
import { disksIn, fileSystemsIn } from './read-storage.ts'
import { bootIn, defined, memoryIn, type Cpu, type Hardware, type Nature, type Uname } from './read-system.ts'
import type { Answers } from './unix.ts'

export interface Told {
  readonly answers: Answers
  readonly uname: Uname
  readonly cpu: Cpu
  readonly hardware: Hardware
  readonly nature: Nature
  readonly interfaces: readonly Interface[]
}

/** The intake takes 64 KiB of facts; a list that would make them longer is shortened, and says so. */
const LENGTH_MAX = 56 * 1_024
const LISTS_MAX = {
  interfaces: 64,
  services: 400,
  listening: 200,
  accounts: 200,
  containers: 100,
  disks: 64,
  fileSystems: 64,
}

export function hostFacts({ answers, uname, cpu, hardware, nature, interfaces }: Told): Record<string, Json> {
  const text = (name: string): string => answers.sections.get(name)?.text ?? ''
  const { manager, services } = servicesIn(text('services'))
  const containers = ['containers-docker', 'containers-podman'].flatMap((name) =>
    containersIn(answers.sections.get(name)),
  )
  const lists: Record<keyof typeof LISTS_MAX, readonly Json[]> = {
    disks: disksIn(text('disks')).map(asJson),
    fileSystems: fileSystemsIn(text('filesystems'), text('mounts')).map(asJson),
    interfaces: interfaces.map(asJson),
    listening: listeningIn(text('listening')).map((it) => `${it.protocol} ${it.address} ${it.port}`),
    accounts: accountsIn(text('users')).map(asJson),
    containers: containers.map(asJson),
    services: services.filter(({ isRunning }) => isRunning).map(({ name }) => name),
  }
  const notes = [...answers.notes]
  return fitted(
    defined({
      kernel: uname.kernel,
      architecture: uname.machine,
      cpuCount: cpu.count,
      cpuModel: cpu.model,
      memoryBytes: memoryIn(text('memory')),
      bootedAt: bootIn(text('boot'))?.toISOString(),
      virtualization: nature.by,
      biosVersion: hardware.bios,
      hardwareVersion: hardware.version,
      serviceManager: manager,
    }) as Record<string, Json>,
    lists,
    [...notes, ...cutIn(answers)],
  )
}

const asJson = (it: object): Json => JSON.parse(JSON.stringify(it)) as Json

const cutIn = ({ sections }: Answers): readonly string[] =>
  [...sections].filter(([, { isCut }]) => isCut).map(([name]) => `${name}: cut, it said more than is kept`)

function fitted(
  facts: Record<string, Json>,
  lists: Readonly<Record<keyof typeof LISTS_MAX, readonly Json[]>>,
  notes: readonly string[],
): Record<string, Json> {
  const all = { ...facts }
  const said = [...notes]
  let length = JSON.stringify(facts).length
  for (const [name, list] of Object.entries(lists)) {
    const kept: Json[] = []
    for (const one of list.slice(0, LISTS_MAX[name as keyof typeof LISTS_MAX])) {
      length += JSON.stringify(one).length + 1
      if (length > LENGTH_MAX) break
      kept.push(one)
    }
    if (kept.length > 0) all[name] = kept
    if (kept.length < list.length) said.push(`${name}: ${kept.length} of ${list.length} kept`)
  }
  return said.length === 0 ? all : { ...all, notes: said.slice(0, 50) }
}
