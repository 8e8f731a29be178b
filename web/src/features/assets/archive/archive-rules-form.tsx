import { ActionIcon, Alert, Autocomplete, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import {
  PreviewArchiveRulesDocument,
  SetArchiveRulesDocument,
  type ArchiveRulesData,
} from '#api/generated/archive.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { NumberField } from '#ui/number-field.tsx'
import styles from './archive-page.module.css'

type Rule = ArchiveRulesData['archiveRules'][number]

interface ArchiveRulesFormProps {
  readonly saved: readonly Rule[]
  /** Of the sources of the organisation. */
  readonly kinds: readonly string[]
}

const TYPING_MS = 300
const SUGGESTED: Rule = { sourceKind: '', days: 90 }

/** Rules with what they would archive now. They are written by a button, all at once. */
export function ArchiveRulesForm({ saved, kinds }: ArchiveRulesFormProps) {
  const may = usePermission()('settings:write')
  const [rules, setRules] = useState(saved)
  const save = useChange(SetArchiveRulesDocument, { done: 'Rules saved' })
  const isChanged = JSON.stringify(rules) !== JSON.stringify(saved)
  return (
    <div>
      <div className={styles['rules']}>
        {rules.length === 0 && <p>There are no rules: nothing is archived by itself.</p>}
        {rules.map((rule, at) => (
          <RuleFields
            // oxlint-disable-next-line no-array-index-key -- a rule is its place until it is saved
            key={at}
            number={at + 1}
            rule={rule}
            kinds={kinds}
            mayChange={may}
            onChange={(next) => setRules(rules.with(at, next))}
            onRemove={() => setRules(rules.toSpliced(at, 1))}
          />
        ))}
      </div>
      <Preview rules={rules} isChanged={isChanged} />
      {may && (
        <div className={styles['buttons']}>
          <Button
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setRules([...rules, SUGGESTED])}
          >
            Add rule
          </Button>
          <Button
            disabled={!isChanged}
            loading={save.isPending}
            onClick={() =>
              save.mutate({ rules: rules.map(({ sourceKind, days }) => ({ sourceKind, days })) })
            }
          >
            Save rules
          </Button>
        </div>
      )}
    </div>
  )
}

interface RuleFieldsProps {
  /** Its place, from 1. */
  readonly number: number
  readonly rule: Rule
  readonly kinds: readonly string[]
  readonly mayChange: boolean
  readonly onChange: (rule: Rule) => void
  readonly onRemove: () => void
}

function RuleFields({ number, rule, kinds, mayChange, onChange, onRemove }: RuleFieldsProps) {
  return (
    <div className={styles['rule']} role="group" aria-label={`Rule ${number}`}>
      <Autocomplete
        className={styles['kind']}
        label="Kind of source"
        placeholder="every kind without a rule of its own"
        data={[...kinds]}
        value={rule.sourceKind}
        disabled={!mayChange}
        onChange={(sourceKind) => onChange({ ...rule, sourceKind })}
      />
      <NumberField
        className={styles['days']}
        label="Days unseen"
        min={1}
        max={3650}
        value={rule.days}
        disabled={!mayChange}
        onChange={(days) => onChange({ ...rule, days: Number(days) })}
      />
      {mayChange && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={`Remove rule ${number}`}
          onClick={onRemove}
        >
          <X size={15} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

/** What the rules would do now, while they are typed. */
function Preview({ rules, isChanged }: { readonly rules: readonly Rule[]; readonly isChanged: boolean }) {
  const [asked] = useDebouncedValue(rules, TYPING_MS)
  const { data, error } = useQuery({
    ...q(PreviewArchiveRulesDocument, {
      rules: asked.map(({ sourceKind, days }) => ({ sourceKind, days })),
    }),
    enabled: asked.length > 0,
  })
  if (rules.length === 0) return null
  if (error)
    return (
      <Alert color="red" variant="light" role="alert" mt="sm">
        {messageOf(error)}
      </Alert>
    )
  const found = asked === rules && data ? many(data.previewArchiveRules, 'asset') : '…'
  return (
    <p className={styles['note']} role="status">
      {isChanged
        ? `These rules would archive ${found} now. `
        : `These rules are applied every hour; ${found} would be archived now. `}
      An asset is archived when the rule of each of its sources says so; one with a source that has no rule
      stays.
    </p>
  )
}
