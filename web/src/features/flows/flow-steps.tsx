import { stepSentence, triggerSentence, type Definition, type Step } from './flow-sentence.ts'
import styles from './flow-steps.module.css'

/** The definition as a column: when, only if, then. */
export function FlowSteps({ definition }: { readonly definition: Definition }) {
  return (
    <div className={styles['column']}>
      <p className={styles['card']}>{triggerSentence(definition.trigger)}</p>
      {definition.condition && (
        <p className={styles['card']}>
          Only if <code>{definition.condition}</code>
        </p>
      )}
      <Steps steps={definition.steps} />
    </div>
  )
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className={styles['steps']}>
      {steps.map((step, n) => (
        // steps have no identity but their place
        // oxlint-disable-next-line react/no-array-index-key
        <li key={n} className={styles['card']}>
          {stepSentence(step)}
          {step.steps && step.steps.length > 0 && <Steps steps={step.steps} />}
          {step.otherwise && step.otherwise.length > 0 && (
            <>
              <div>Otherwise</div>
              <Steps steps={step.otherwise} />
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
