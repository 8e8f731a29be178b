import { permit, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { readDefinition } from './read-definition.ts'

/** What is wrong with a definition, and where. */
export interface Fault {
  /** Such as `steps[1].with.tags`. */
  readonly place: string
  readonly message: string
}

const FAULTS_MAX = 20

/** All of them, the first 20: what is wrong with a step is noted, and the step left out, until the rest can be read. */
export async function faultsOf(ctx: Ctx, definition: unknown): Promise<Fault[]> {
  permit(ctx, 'flows:read')
  const faults: Fault[] = []
  const note = (error: unknown): void => {
    if (!(error instanceof Refusal)) throw error
    const place = error.extras.field ?? ''
    const message = error.message.startsWith(`${place}: `)
      ? error.message.slice(place.length + 2)
      : error.message
    if (faults.length < FAULTS_MAX) faults.push({ place, message })
  }
  try {
    await readDefinition(ctx, definition, note)
  } catch (error) {
    note(error)
  }
  return faults
}
