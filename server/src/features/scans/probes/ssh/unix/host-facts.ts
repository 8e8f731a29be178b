import type { Json } from '#features/assets/observation.ts'
import { boundedFacts } from '../../bounded-facts.ts'
import { accountsIn, containersIn, listeningIn, servicesIn } from './read-activity.ts'
import { notesOnLibraries } from './read-libraries.ts'
import type { Interface } from './read-network.ts'
import { disksIn, fileSystemsIn } from './read-storage.ts'
import { bootIn, defined, memoryIn, type Cpu, type Hardware, type Nature, type Uname } from './read-system.ts'
import type { Answers } from './run-unix-script.ts'

export interface UnixReadings {
  readonly answers: Answers
  readonly uname: Uname
  readonly cpu: Cpu
  readonly hardware: Hardware
  readonly nature: Nature
  readonly interfaces: readonly Interface[]
}

export function hostFacts({
  answers,
  uname,
  cpu,
  hardware,
  nature,
  interfaces,
}: UnixReadings): Record<string, Json> {
  const text = (name: string): string => answers.sections.get(name)?.text ?? ''
  const { manager, services } = servicesIn(text('services'))
  const containers = ['containers-docker', 'containers-podman'].flatMap((name) =>
    containersIn(answers.sections.get(name)),
  )
  const lists: Record<string, readonly Json[]> = {
    disks: disksIn(text('disks')).map(asJson),
    fileSystems: fileSystemsIn(text('filesystems'), text('mounts')).map(asJson),
    interfaces: interfaces.map(asJson),
    listening: listeningIn(text('listening')).map((it) => `${it.protocol} ${it.address} ${it.port}`),
    accounts: accountsIn(text('users')).map(asJson),
    containers: containers.map(asJson),
    services: services.filter(({ isRunning }) => isRunning).map(({ name }) => name),
  }
  return boundedFacts({
    facts: defined({
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
    notes: [
      ...answers.notes,
      ...cutIn(answers),
      ...notesOnLibraries(answers.sections.get('packages-library')),
    ],
  })
}

const asJson = (it: object): Json => JSON.parse(JSON.stringify(it)) as Json

const cutIn = ({ sections }: Answers): readonly string[] =>
  [...sections].filter(([, { isCut }]) => isCut).map(([name]) => `${name}: cut, it said more than is kept`)
