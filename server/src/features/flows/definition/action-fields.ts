import type { Action } from '../actions/action.ts'

/** One setting of an action, as an editor shows it. */
export interface ActionField {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'map'
  readonly isRequired: boolean
  /** Whether it may hold `{{places}}`. */
  readonly isTemplate: boolean
  /** Of a choice. */
  readonly values: readonly string[]
  /** What it is picked from, such as scanTarget or tag; empty: it is written. */
  readonly pick: string
  readonly min: number | null
  readonly max: number | null
}

interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly pick?: string
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** In the order in which the action names them. */
export function fieldsOf({ settings, templates }: Action): ActionField[] {
  const required = new Set((settings.required ?? []) as readonly string[])
  return Object.entries(settings.properties as Readonly<Record<string, Schema>>).map(([name, schema]) => ({
    name,
    label: schema.title ?? name,
    help: schema.description ?? '',
    type: typeOf(schema),
    isRequired: required.has(name),
    isTemplate: templates.includes(name),
    values: (schema.anyOf ?? []).map((it) => String(it.const)),
    pick: schema.pick ?? '',
    min: schema.minimum ?? null,
    max: schema.maximum ?? schema.maxLength ?? null,
  }))
}

const TYPES: Readonly<Record<string, ActionField['type']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'map',
}

const typeOf = ({ type, anyOf }: Schema): ActionField['type'] =>
  anyOf ? 'choice' : (TYPES[type ?? ''] ?? 'text')
