import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import { FirstStepsDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import styles from './first-steps.module.css'
import { firstSteps, type Step } from './first-steps-done.ts'

export const firstStepsQuery = (may: (permission: string) => boolean) =>
  q(FirstStepsDocument, {
    networks: may('scans:read'),
    credentials: may('credentials:read'),
    feeds: may('feeds:read'),
    agents: may('agents:read'),
    people: may('users:read'),
  })

/** What makes an inventory complete, and which of it is done; nothing for who may see none of it. */
export function FirstSteps() {
  const steps = useFirstSteps()
  return steps.length > 0 && <Steps steps={steps} />
}

/** As long as one of them is left. */
export function FirstStepsToDo() {
  const steps = useFirstSteps()
  return steps.some(({ isDone }) => !isDone) && <Steps steps={steps} />
}

function useFirstSteps(): readonly Step[] {
  const { data } = useQuery(firstStepsQuery(usePermission()))
  return data ? firstSteps(data) : []
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Panel title="First steps" aside={`${done} of ${steps.length} done`}>
      <ol className={styles['steps']}>
        {steps.map(({ id, to, title, why, isDone }) => (
          <li key={id} className={styles['step']} data-done={isDone || undefined}>
            {isDone ? (
              <CircleCheck className={styles['sign']} size={18} aria-label="Done" />
            ) : (
              <Circle className={styles['sign']} size={18} aria-label="To do" />
            )}
            <span>
              <Link to={to}>{title}</Link>
              <span className={styles['why']}>{why}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
