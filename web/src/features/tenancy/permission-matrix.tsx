import type { ReactNode } from 'react'
import { inSentence } from '#lib/sentence-case.ts'
import styles from './permission-matrix.module.css'
import { accessTo, nounsOf, withAccess, type Access, type Noun } from './permission-labels.ts'

interface PermissionMatrixProps {
  /** All existing permissions. */
  readonly all: readonly string[]
  readonly value?: readonly string[]
  readonly error?: ReactNode
  readonly onChange?: (value: readonly string[]) => void
}

const LEVELS: readonly { readonly access: Access; readonly title: string }[] = [
  { access: 'none', title: 'Nothing' },
  { access: 'read', title: 'See' },
  { access: 'write', title: 'See and change' },
]

/** One row for each noun, with the access of the role. */
export function PermissionMatrix({ all, value = [], error, onChange }: PermissionMatrixProps) {
  return (
    <fieldset className={styles['set']}>
      <legend className={styles['legend']}>Permissions</legend>
      <table className={styles['matrix']}>
        <thead>
          <tr>
            <th scope="col">Of</th>
            {LEVELS.map(({ access, title }) => (
              <th key={access} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nounsOf(all).map((noun) => (
            <tr key={noun.noun}>
              <th scope="row">{noun.title}</th>
              {LEVELS.map((level) => (
                <td key={level.access}>
                  <Choice
                    {...level}
                    noun={noun}
                    isChosen={accessTo(noun.noun, value) === level.access}
                    onChoose={() => onChange?.(withAccess(value, noun.noun, level.access))}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <p className={styles['fault']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ChoiceProps {
  readonly access: Access
  readonly title: string
  readonly noun: Noun
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ access, title, noun, isChosen, onChoose }: ChoiceProps) {
  if ((access === 'write' && !noun.canWrite) || (access === 'read' && !noun.canRead)) return null
  return (
    <input
      type="radio"
      name={`permission-${noun.noun}`}
      aria-label={`${noun.title}: ${inSentence(title)}`}
      checked={isChosen}
      onChange={onChoose}
    />
  )
}
