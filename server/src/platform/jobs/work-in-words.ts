import { RETRY_SECONDS_MAX, type Job, type PeriodicJob } from './job.ts'

/** Name, tries, lane, longest pause, and whether it takes the others of its kind along. */
export const jobRow = ({
  name,
  attemptsMax,
  lane,
  retrySecondsMax,
  doesAll,
}: Job<unknown>): readonly string[] => [
  `\`${name}\``,
  attemptsMax.toLocaleString('en'),
  lane,
  timeOf(retrySecondsMax ?? RETRY_SECONDS_MAX),
  doesAll ? 'yes' : 'no',
]

/** Name, and how often. */
export const periodicRow = ({ name, everySeconds }: PeriodicJob): readonly string[] => [
  `\`${name}\``,
  timeOf(everySeconds),
]

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** In the greatest unit that it is a whole number of. */
function timeOf(seconds: number): string {
  const [unit, length] = UNITS.find((it) => seconds % it[1] === 0) ?? ['second', 1]
  const count = seconds / length
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
