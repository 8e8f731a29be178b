import { Link } from '@tanstack/react-router'
import { many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { JsonBlock } from '#ui/json-block.tsx'
import styles from './flow-editor.module.css'
import type { Tested } from './flow-editor.ts'

/** What all steps together would change. */
export function TestResult({ result: { matches, steps, wouldChange } }: { readonly result: Tested }) {
  const failed = steps.filter(({ fault }) => fault !== null).length
  return (
    <div role="status" className={styles['list']}>
      <p>
        {!matches
          ? 'Its condition would not let it run.'
          : failed > 0
            ? 'It would run, and fail.'
            : `It would run: ${many(steps.length, 'step')}.`}
      </p>
      {matches && <WouldChange changes={wouldChange} />}
    </div>
  )
}

function WouldChange({ changes: { total, isWhole, subjects } }: { readonly changes: Tested['wouldChange'] }) {
  if (total === 0) return <p className="quiet">Nothing in the inventory would change.</p>
  return (
    <>
      <p>
        <strong>{many(total, 'subject')} would change</strong>
        {isWhole ? ':' : ', and more that were not tried:'}
      </p>
      <ul className={styles['changes']}>
        {subjects.map(({ type, id, name, becomesTrue, becomesFalse }) => (
          <li key={`${type} ${id}`}>
            {type === 'asset' ? (
              <Link to="/assets/$assetId" params={{ assetId: id }}>
                {name || 'an asset'}
              </Link>
            ) : (
              `${type} ${name}`
            )}
            {': '}
            {[
              ...becomesTrue.map((text) => `becomes ${text}`),
              ...becomesFalse.map((text) => `no longer ${text}`),
            ].join(', ')}
          </li>
        ))}
      </ul>
      {total > subjects.length && <p className="quiet">and {total - subjects.length} more</p>}
    </>
  )
}

/** What one step would do, beside it; once for each item of a loop. */
export function TestedStep({ tested, path }: { readonly tested: Tested | undefined; readonly path: string }) {
  const steps = tested?.steps.filter((step) => step.path === path) ?? []
  if (!tested) return null
  if (steps.length === 0) return <p className="quiet">Test run: not reached.</p>
  return steps.map(({ item, fault, input, output }) => (
    <details key={item} className={styles['tested']}>
      <summary>
        Test run{item !== '' && `, item ${item}`}{' '}
        {fault === null ? (
          <Badge tone="good" sign="✓">
            works
          </Badge>
        ) : (
          <Badge tone="bad" sign="×">
            fails
          </Badge>
        )}{' '}
        {fault ?? (typeof output === 'string' ? output : '')}
      </summary>
      <JsonBlock label={`What ${path} was given and gave`} value={{ input, output }} />
    </details>
  ))
}
