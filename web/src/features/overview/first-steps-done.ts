import type { FirstStepsData } from '#api/generated/overview.ts'

export interface Step {
  readonly id: string
  readonly to: '/scans' | '/credentials' | '/feeds' | '/agents' | '/people'
  readonly title: string
  readonly why: string
  readonly isDone: boolean
}

/** Of what the role may see, in the order in which each makes the next worth more. */
export const firstSteps = (data: FirstStepsData): readonly Step[] =>
  [sweep(data), login(data), switchOnFeeds(data), haveAgents(data), invite(data)].flatMap((it) => it ?? [])

const sweep = ({ targets }: FirstStepsData): Step | undefined =>
  targets && {
    id: 'networks',
    to: '/scans',
    title: 'Sweep a network',
    why: 'Finds what answers in it, without a login.',
    isDone: targets.length > 0,
  }

const login = ({ credentials }: FirstStepsData): Step | undefined =>
  credentials && {
    id: 'credentials',
    to: '/credentials',
    title: 'Put a login into the vault',
    why: 'Scans that sign in read software, hardware and settings.',
    isDone: credentials.total > 0,
  }

const switchOnFeeds = ({ feeds }: FirstStepsData): Step | undefined =>
  feeds && {
    id: 'feeds',
    to: '/feeds',
    title: 'Switch on the feeds',
    why: 'Software is compared with known vulnerabilities.',
    isDone: feeds.some(({ isEnabled, isSample, records }) => isEnabled || (records > 0 && !isSample)),
  }

const haveAgents = ({ agents }: FirstStepsData): Step | undefined =>
  agents && {
    id: 'agents',
    to: '/agents',
    title: 'Have agents report',
    why: 'Laptops report from wherever they are.',
    isDone: agents.total > 0,
  }

const invite = ({ users }: FirstStepsData): Step | undefined =>
  users && {
    id: 'people',
    to: '/people',
    title: 'Invite somebody',
    why: 'Each person works under their own name and role.',
    isDone: users.length > 1,
  }
