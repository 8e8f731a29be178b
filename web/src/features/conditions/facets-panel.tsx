import { Button, Drawer } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { chosenOf, isSame, toggleChoice, type Chosen } from './facet-terms.ts'
import styles from './facets-panel.module.css'
import type { Narrowing } from './use-condition-draft.ts'
import { useFacets, type Facet } from './use-facets.ts'

export interface FacetField {
  readonly field: string
  readonly label: string
  /** Its values are words of the program, such as `virtual_machine`. */
  readonly isWord?: boolean
}

/** Whether the panel is open; kept in this browser for each kind of list. On a phone it begins closed. */
export function useFacetsPanel(subject: ConditionSubject) {
  const isPhone = useMediaQuery('(max-width: 860px)', undefined, { getInitialValueInEffect: false }) ?? false
  const [isWanted, setWanted] = useLocalStorage({
    key: `rollcall-facets-${subject}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [isSheet, setSheet] = useState(false)
  const isOpen = isPhone ? isSheet : isWanted
  const setOpen = isPhone ? setSheet : setWanted
  return { isOpen, isPhone, toggle: () => setOpen(!isOpen), close: () => setOpen(false) }
}

export function FacetsButton({ panel }: { readonly panel: ReturnType<typeof useFacetsPanel> }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<ListFilter size={14} aria-hidden />}
      aria-expanded={panel.isOpen}
      data-stays
      data-active={panel.isOpen || undefined}
      onClick={panel.toggle}
    >
      Filters
    </Button>
  )
}

interface FacetsPanelProps extends Narrowing {
  readonly subject: ConditionSubject
  readonly fields: readonly FacetField[]
  readonly panel: ReturnType<typeof useFacetsPanel>
  readonly onWhere: (where: string) => void
}

/** Counts by the values of some fields; a click narrows the list to a value. Beside the list, or a sheet on a phone. */
export function FacetsPanel(props: FacetsPanelProps) {
  const { panel } = props
  if (panel.isPhone)
    return (
      <Drawer opened={panel.isOpen} onClose={panel.close} position="bottom" size="80%" title="Filters">
        <FacetList {...props} />
      </Drawer>
    )
  if (!panel.isOpen) return null
  return (
    <aside className={styles['panel']} aria-label="Filters">
      <FacetList {...props} />
    </aside>
  )
}

const FEW = 6
const MANY = 60

function FacetList({ subject, fields, where, text, onWhere }: FacetsPanelProps) {
  const [more, setMore] = useState<string>()
  const names = fields.map(({ field }) => field)
  const facets = useFacets(subject, { where, text }, { fields: names, first: FEW })
  const whole = useFacets(subject, { where, text }, { fields: more === undefined ? [] : [more], first: MANY })
  return (
    <>
      {fields.map((it) => (
        <Values
          key={it.field}
          field={it}
          facet={more === it.field ? (whole.get(it.field) ?? facets.get(it.field)) : facets.get(it.field)}
          chosen={chosenOf(where, it.field)}
          isWhole={more === it.field}
          onMore={() => setMore(more === it.field ? undefined : it.field)}
          onToggle={(value) => onWhere(toggleChoice(where, it.field, value))}
        />
      ))}
    </>
  )
}

interface ValuesProps {
  readonly field: FacetField
  readonly facet: Facet | undefined
  readonly chosen: Chosen
  readonly isWhole: boolean
  readonly onMore: () => void
  readonly onToggle: (value: string | null) => void
}

function Values({ field: { label, isWord = false }, facet, chosen, isWhole, onMore, onToggle }: ValuesProps) {
  const values = facet?.values ?? []
  // what is chosen stays in sight when it is none of the most frequent
  const absent = chosen.values.filter((it) => !values.some(({ value }) => isSame(value, it)))
  const shown = [...values, ...absent.map((value) => ({ value, count: undefined }))]
  return (
    <section className={styles['facet']} aria-label={label}>
      <h2 className={styles['label']}>{label}</h2>
      {!facet && <p className={styles['loading']} aria-label="Loading" />}
      <ul>
        {shown.map(({ value, count: n }) => (
          <Value
            key={value}
            name={isWord ? sentenceCase(value) : value}
            n={n}
            isChosen={chosen.values.some((it) => isSame(it, value))}
            onToggle={() => onToggle(value)}
          />
        ))}
        {facet && (facet.without > 0 || chosen.isUnknown) && (
          <Value
            name="Not known"
            n={facet.without}
            isQuiet
            isChosen={chosen.isUnknown}
            onToggle={() => onToggle(null)}
          />
        )}
      </ul>
      {facet && shown.length === 0 && facet.without === 0 && <p className="quiet">None</p>}
      {(values.length >= FEW || isWhole) && (
        <button type="button" className={styles['more']} onClick={onMore}>
          {isWhole ? 'Fewer' : 'More'}
        </button>
      )}
    </section>
  )
}

interface ValueProps {
  readonly name: string
  readonly n: number | undefined
  readonly isChosen: boolean
  readonly isQuiet?: boolean
  readonly onToggle: () => void
}

const Value = ({ name, n, isChosen, isQuiet = false, onToggle }: ValueProps) => (
  <li>
    <button type="button" className={styles['value']} aria-pressed={isChosen} onClick={onToggle}>
      <span className={styles['check']} aria-hidden>
        {isChosen ? '✓' : ''}
      </span>
      <span className={isQuiet ? `${styles['name']} quiet` : styles['name']} title={name}>
        {name}
      </span>
      <span className={styles['count']}>{n === undefined ? '' : count(n)}</span>
    </button>
  </li>
)
