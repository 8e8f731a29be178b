import { NativeSelect, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NumberField } from '#ui/number-field.tsx'
import type { ActionInfo, FieldInfo, StepFieldsProps } from './flow-editor.ts'
import { namedBefore } from './step-tree.ts'
import styles from './flow-editor.module.css'
import { usePicks } from './use-picks.ts'

const LONG = 300

interface ActionFieldsProps extends StepFieldsProps {
  readonly action: ActionInfo
}

/** The settings of an action, and chips with the values that its texts can hold. */
export function ActionFields({ editor, action, path, step, onChange }: ActionFieldsProps) {
  const [focused, setFocused] = useState<string>()
  const settings = step.with ?? {}
  const set = (name: string, value: unknown) => onChange({ ...step, with: withValue(settings, name, value) })
  const insertInto = action.fields.find(
    ({ name, isTemplate, type }) => name === focused && isTemplate && type === 'text',
  )
  const places = [
    ...(action.needsAsset ? [] : ['asset.name']),
    ...editor.triggerFields,
    ...namedBefore(editor.definition, path).flatMap(({ name, action: used }) =>
      (editor.catalogue.flowActions.find((it) => it.name === used)?.outputs ?? []).map(
        (it) => `steps.${name}.${it}`,
      ),
    ),
  ]
  return (
    <>
      {action.fields.map((field) => (
        <div key={field.name} onFocus={() => setFocused(field.name)}>
          <Setting
            field={field}
            value={settings[field.name]}
            fault={editor.faultAt(`${path}.with.${field.name}`)}
            onChange={(value) => set(field.name, value)}
          />
        </div>
      ))}
      {insertInto && (
        <Places
          label={insertInto.label}
          places={[...new Set(places)]}
          onInsert={(place) => set(insertInto.name, `${textOf(settings[insertInto.name])}{{${place}}}`)}
        />
      )}
      {action.outputs.length > 0 && (
        <TextInput
          label="Name of this step"
          description={`For later steps, which read ${action.outputs.join(', ')} of it.`}
          placeholder="ticket"
          size="xs"
          value={step.name ?? ''}
          error={editor.faultAt(`${path}.name`)}
          onChange={({ currentTarget: { value } }) => onChange(named(step, value))}
        />
      )}
    </>
  )
}

interface PlacesProps {
  readonly label: string
  readonly places: readonly string[]
  readonly onInsert: (place: string) => void
}

/** Chips with the names of values, which are put at the end of the text. */
function Places({ label, places, onInsert }: PlacesProps) {
  return (
    <div className={styles['places']} role="group" aria-label={`Values for ${label}`}>
      {places.map((place) => (
        <button
          key={place}
          type="button"
          className={styles['place']}
          // the field must not lose the focus
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(place)}
        >
          {place}
        </button>
      ))}
    </div>
  )
}

/** Without what was emptied, as the server has absent settings. */
function withValue(settings: Readonly<Record<string, unknown>>, name: string, value: unknown) {
  const { [name]: _, ...rest } = settings
  return value === '' || value === undefined ? rest : { ...rest, [name]: value }
}

function named(step: StepFieldsProps['step'], name: string): StepFieldsProps['step'] {
  const { name: _former, ...unnamed } = step
  return name === '' ? unnamed : { ...unnamed, name }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

interface SettingProps {
  readonly field: FieldInfo
  readonly value: unknown
  readonly fault: string | undefined
  readonly onChange: (value: unknown) => void
}

function Setting({ field, value, fault, onChange }: SettingProps) {
  const { label, help, type, values, isRequired, pick, min, max } = field
  const picks = usePicks(pick)
  const shared = { label, description: help || undefined, required: isRequired, error: fault }
  switch (type) {
    case 'list':
      return (
        <TagsInput
          {...shared}
          data={picks.map(({ label: text }) => text)}
          value={Array.isArray(value) ? value.map(String) : []}
          acceptValueOnBlur
          onChange={onChange}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          {...shared}
          data={isRequired ? [...values] : ['', ...values]}
          value={textOf(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    case 'number':
      return (
        <NumberField
          isDecimal
          {...shared}
          {...(min !== null && { min })}
          {...(max !== null && { max })}
          value={textOf(value)}
          onChange={(to) => onChange(to === '' ? undefined : Number(to))}
        />
      )
    case 'boolean':
      return (
        <Switch
          label={label}
          description={help || undefined}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'map':
      return <MapSetting {...{ field, value, fault, onChange }} />
    default:
      return <TextSetting {...{ field, value, fault, onChange }} picks={picks} />
  }
}

function TextSetting({
  field,
  value,
  fault,
  onChange,
  picks,
}: SettingProps & { readonly picks: ReturnType<typeof usePicks> }) {
  const { label, help, isRequired, max } = field
  const shared = {
    label,
    description: help || undefined,
    required: isRequired,
    error: fault,
    spellCheck: false,
  }
  if (picks.length > 0)
    return (
      <Select
        {...shared}
        searchable
        data={picks}
        value={textOf(value) || null}
        onChange={(to) => onChange(to ?? '')}
      />
    )
  return (max ?? 0) > LONG ? (
    <Textarea
      {...shared}
      autosize
      minRows={2}
      maxRows={8}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <TextInput
      {...shared}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** `NAME: value`, a line each. */
function MapSetting({ field: { label, help, isRequired }, value, fault, onChange }: SettingProps) {
  const [text, setText] = useState(() =>
    Object.entries((value ?? {}) as Readonly<Record<string, string>>)
      .map(([name, it]) => `${name}: ${it}`)
      .join('\n'),
  )
  const change = (to: string) => {
    setText(to)
    const lines = to.split('\n').flatMap((line) => {
      const [, name = '', rest = ''] = /^\s*([^:]+?)\s*:\s*(.*)$/.exec(line) ?? []
      return name === '' ? [] : [[name, rest] as const]
    })
    onChange(lines.length === 0 ? undefined : Object.fromEntries(lines))
  }
  return (
    <Textarea
      label={label}
      description={help || 'name: value, a line each'}
      required={isRequired}
      error={fault}
      autosize
      minRows={2}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
