import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  ConditionCountDocument,
  ConditionFieldsDocument,
  type ConditionFieldsData,
} from '#api/generated/conditions.ts'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { q } from '#api/query-client.ts'
import { closeOpen, joinTerms, splitTerms } from './condition-terms.ts'
import { conditionWith, contextOf, isCondition, withDraft, type Fault, type Names } from './draft.ts'
import { faultOf } from './use-condition-count.ts'

const TYPING_MS = 180

/** What a list is narrowed by: a condition, and words to search for. */
export interface Narrowing {
  readonly where: string
  readonly text: string
}

export interface DraftProps extends Narrowing {
  readonly subject: ConditionSubject
  /** `isTyping`: one of many changes that belong together, for one entry in the history of the browser. */
  readonly onChange: (next: Narrowing, isTyping: boolean) => void
}

/** The text that is being typed: words search at once, a condition is applied when it is finished. */
export function useConditionDraft({ subject, where, text, onChange }: DraftProps) {
  const { names, use, known } = useNames(subject)
  const terms = useMemo(() => splitTerms(where).map((it) => it.text), [where])
  const { draft, editing, setDraft, setEditing, setSent } = useDraft({ where, text })
  const [fault, setFault] = useState<Fault & { readonly draft: string }>()
  const isAsking = editing !== undefined || isCondition(draft, names)
  const search = useDebouncedCallback((words: string) => {
    setSent(words)
    if (words !== text) onChange({ where, text: words }, true)
  }, TYPING_MS)
  const leave = (next: Narrowing) => {
    search.cancel()
    setEditing(undefined)
    setFault(undefined)
    setDraft(next.text)
    setSent(next.text)
    onChange(next, false)
  }
  const edit = (at: number | undefined) => {
    setEditing(at)
    setDraft(at === undefined ? text : (terms[at] ?? ''))
  }
  const check = useCheck(subject)
  const commit = async (given = draft) => {
    search.cancel()
    const words = given.trim()
    if (editing === undefined && (words === '' || !isCondition(given, await known())))
      return leave({ where, text: words })
    const found = await check(editing === undefined ? contextOf(terms, given) : '', given)
    if (found) return setFault({ ...found, draft: given })
    leave({ where: conditionWith(terms, given, editing), text: editing === undefined ? '' : text })
  }
  return {
    terms,
    draft,
    editing,
    isAsking,
    ...withDrafted({ where, terms, draft, editing, isAsking }),
    use,
    fault: fault?.draft === draft ? fault : undefined,
    type: (next: string) => {
      setDraft(next)
      if (editing === undefined) search(isCondition(next, names) ? '' : next.trim())
    },
    commit,
    edit,
    remove: (at: number) => leave({ where: joinTerms(terms.filter((_, i) => i !== at)), text }),
    clear: () => leave({ where: '', text: '' }),
  }
}

interface Draft {
  readonly where: string
  readonly terms: readonly string[]
  readonly draft: string
  readonly editing: number | undefined
  readonly isAsking: boolean
}

function withDrafted({ where, terms, draft, editing, isAsking }: Draft) {
  const isEmpty = draft.trim() === ''
  const whole = isAsking && !isEmpty ? joinTerms(withDraft(terms, draft, editing)) : where
  return {
    /** The condition as it would be with the draft. */
    whole,
    /** That, and words that are no condition. */
    written: isAsking || isEmpty ? whole : joinTerms([...terms, draft.trim()]),
  }
}

/** What is typed, and the term that it takes the place of; follows the address when that has other contents. */
function useDraft(now: Narrowing) {
  const [draft, setDraft] = useState(now.text)
  /** The words that were searched for last: they come back in the address while the person types on. */
  const [sent, setSent] = useState(now.text)
  const [editing, setEditing] = useState<number>()
  const [seen, setSeen] = useState(now)
  if (seen.where !== now.where || seen.text !== now.text) {
    setSeen(now)
    if (seen.where !== now.where || now.text !== sent) {
      setDraft(now.text)
      setEditing(undefined)
    }
  }
  return { draft, editing, setDraft, setEditing, setSent }
}

/** What is wrong with a draft; undefined for nothing, and where only the server could not be asked. */
function useCheck(subject: ConditionSubject) {
  const client = useQueryClient()
  return async (before: string, draft: string): Promise<Fault | undefined> => {
    if (draft.trim() === '') return undefined
    try {
      await client.fetchQuery(q(ConditionCountDocument, { subject, where: before + closeOpen(draft) }))
      return undefined
    } catch (error) {
      const fault = faultOf(error)
      return fault && { ...fault, position: fault.position && Math.max(0, fault.position - before.length) }
    }
  }
}

/** Not asked for before somebody is at the box: on a slow line the rows come first. */
function useNames(subject: ConditionSubject) {
  const [isUsed, setUsed] = useState(false)
  const client = useQueryClient()
  const fields = { ...q(ConditionFieldsDocument, { subject }), staleTime: Infinity }
  const { data } = useQuery({ ...fields, enabled: isUsed })
  const names = useMemo(() => namesIn(data), [data])
  return {
    names,
    use: () => setUsed(true),
    /** Waits for those that are under way; what the server cannot be asked for is not known. */
    known: async (): Promise<Names> =>
      data ? names : namesIn(await client.fetchQuery(fields).catch(() => undefined)),
  }
}

function namesIn(data: ConditionFieldsData | undefined): Names {
  const { fields = [], collections = [] } = data?.conditionFields ?? {}
  const names = fields.flatMap(({ name, aliases }) => [name, ...aliases])
  return new Set([...names, ...collections.map(({ name }) => name)])
}
