import { isObject } from '../../json.ts'
import type { Machine } from '../machine.ts'

export type Row = Readonly<Record<string, unknown>>

const TYPES = ['SPApplicationsDataType', 'SPStorageDataType', 'SPNVMeDataType'] as const
type DataType = (typeof TYPES)[number]

const asked = new WeakMap<Machine, Promise<ReadonlyMap<string, readonly Row[]>>>()

/** Rows of a data type of system_profiler(8), which is asked once a round. Throws when it does not answer in JSON. */
export async function profileOf(machine: Machine, type: DataType): Promise<readonly Row[]> {
  const answers = asked.get(machine) ?? ask(machine)
  asked.set(machine, answers)
  return (await answers).get(type) ?? []
}

async function ask(machine: Machine): Promise<ReadonlyMap<string, readonly Row[]>> {
  const text = await machine.run('system_profiler', ['-json', '-detailLevel', 'mini', ...TYPES])
  if (text === undefined) throw new Error('system_profiler is not there')
  const all: unknown = JSON.parse(text)
  if (!isObject(all)) throw new Error('system_profiler answered something else')
  return new Map(
    Object.entries(all).map(([name, list]) => [name, Array.isArray(list) ? list.filter(isObject) : []]),
  )
}
