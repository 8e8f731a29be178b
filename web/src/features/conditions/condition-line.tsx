import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { count, plural } from '#lib/numbers.ts'
import styles from './condition-line.module.css'
import type { Fault } from './draft.ts'
import { meantBy } from './meant-by.ts'
import { useConditionCount } from './use-condition-count.ts'
import type { useConditionDraft } from './use-condition-draft.ts'

interface ConditionLineProps {
  readonly id: string
  readonly subject: ConditionSubject
  readonly state: ReturnType<typeof useConditionDraft>
  readonly hint: string
}

/** For how many the condition holds; while it is typed, for how many it would. Or what is wrong with it, and where. */
export function ConditionLine({ id, subject, state, hint }: ConditionLineProps) {
  const { draft, whole, isAsking, editing } = state
  const counted = useConditionCount(subject, meantBy(subject, whole))
  const fault = state.fault ?? typedFault(counted.fault, { draft, whole, isAsking })
  if (fault) return <FaultLine id={id} draft={isAsking ? draft : whole} fault={fault} />
  const { matching, unknown } = counted.count ?? {}
  return (
    <p id={id} className={styles['line']} aria-live="polite">
      {whole === '' && hint}
      {whole !== '' && matching === undefined && <span className="quiet">Counting…</span>}
      {matching !== undefined && (
        <span>
          <strong>{count(matching)}</strong> {plural(matching, 'match', 'matches')}
        </span>
      )}
      {unknown !== undefined && unknown > 0 && (
        <span
          className="quiet"
          title="What the condition asks about was never collected of these: they are left out"
        >
          , {count(unknown)} unknown
        </span>
      )}
      {isAsking && draft.trim() !== '' && (
        <span className="quiet">
          {' · '}
          <kbd>Enter</kbd> {editing === undefined ? 'applies it' : 'changes it'}
        </span>
      )}
    </p>
  )
}

interface Typed {
  readonly draft: string
  readonly whole: string
  readonly isAsking: boolean
}

/** A fault while typing, once it is behind the cursor's word: what is only not finished yet is none. */
function typedFault(fault: Fault | undefined, { draft, whole, isAsking }: Typed): Fault | undefined {
  if (!fault || !isAsking || draft.trim() === '') return fault
  if (fault.position === undefined) return fault
  const begin = whole.indexOf(draft.trim())
  const position = begin === -1 ? undefined : fault.position - begin
  const isBefore = position !== undefined && draft.slice(position).trimEnd().includes(' ')
  return isBefore ? { ...fault, position } : undefined
}

interface FaultLineProps {
  readonly id: string
  readonly draft: string
  readonly fault: Fault
}

/** The text with the place that cannot be read marked, then the reason. */
function FaultLine({ id, draft, fault: { message, position } }: FaultLineProps) {
  return (
    <p id={id} className={styles['fault']} role="alert">
      {position !== undefined && <Marked text={draft} position={position} />}
      <span>{message}</span>
    </p>
  )
}

const BEFORE_MAX = 40

function Marked({ text, position }: { readonly text: string; readonly position: number }) {
  const at = Math.min(Math.max(0, position), text.length)
  const word = /^(?:[<>=!:]+|[^\s()<>=!:]+|.)/.exec(text.slice(at))?.[0] ?? ''
  const before = text.slice(0, at)
  return (
    <code className={styles['text']}>
      {before.length > BEFORE_MAX ? `…${before.slice(-BEFORE_MAX)}` : before}
      <mark className={styles['mark']}>{word || '\u00a0'}</mark>
      {text.slice(at + word.length, at + word.length + BEFORE_MAX)}
    </code>
  )
}
