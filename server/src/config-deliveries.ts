import { availableParallelism } from 'node:os'

const PROCESSES_MAX = 64
/** One for each four processors: PostgreSQL and the process that answers need the others. */
const PROCESSORS_EACH = 4
const FALLBACK_MAX = 4

function processes(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > PROCESSES_MAX)
    throw new Error(`must be a whole number from 0 to ${PROCESSES_MAX}`)
  return number
}

export const deliverySettings = {
  deliveryProcesses: {
    name: 'DELIVERY_PROCESSES',
    parse: processes,
    fallback: Math.min(FALLBACK_MAX, Math.floor(availableParallelism() / PROCESSORS_EACH)),
    otherwise: `one for each ${PROCESSORS_EACH} processors, at most ${FALLBACK_MAX}`,
    help: 'How many processes a worker starts beside itself that send deliveries alone, so that a backlog uses more than one processor; each takes some 100 MB.',
  },
}
