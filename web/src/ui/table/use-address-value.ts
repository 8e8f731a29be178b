import { useNavigate, useSearch } from '@tanstack/react-router'
import { addressName } from './address-name.ts'

type Address = Readonly<Record<string, unknown>>

interface Written {
  /** Replaces the entry of the history, so that Back leaves the list. */
  readonly isReplacing?: boolean
}

/** A value in the address of the screen, so that Back, a reload and a sent link show the same. */
export function useAddressValue(key: string) {
  const navigate = useNavigate()
  const value: unknown = useSearch({ strict: false, select: (search: Address) => search[key] })
  const write = (next: string | number | undefined, { isReplacing = false }: Written = {}): void =>
    void navigate({
      to: '.',
      search: (before: Address) => ({ ...before, [key]: next }),
      replace: isReplacing,
      resetScroll: false,
    })
  return [typeof value === 'string' || typeof value === 'number' ? String(value) : undefined, write] as const
}

/** The first row of the page that a list shows. The label is the English one, in every language. */
export function useOffset(label: string) {
  const [text, write] = useAddressValue(`${addressName(label)}.at`)
  const at = Number(text)
  return [
    Number.isSafeInteger(at) && at > 0 ? at : 0,
    (next: number, how?: Written) => write(next || undefined, how),
  ] as const
}

/** The row that is shown beside its list. */
export function usePreview() {
  const [opened, write] = useAddressValue('preview')
  return {
    opened,
    open: (id: string) => write(id, { isReplacing: opened !== undefined }),
    close: () => write(undefined, { isReplacing: true }),
  }
}
export type Preview = ReturnType<typeof usePreview>
