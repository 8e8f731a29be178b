import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { readAssetSearch, type AssetSearch } from './asset-search-params.ts'

/** Narrows the list by words and by a condition. */
export function AssetFilters({ search }: { readonly search: AssetSearch }) {
  const navigate = useNavigate()
  return (
    <>
      <ConditionBox
        subject="asset"
        label="Search assets"
        placeholder="Name, address, MAC, tag … or os, seen, owner, any finding …"
        hint="Words search anywhere. A field such as os, type, owner or seen makes it a condition."
        where={search.where ?? ''}
        text={search.search ?? ''}
        onChange={({ where, text }, isTyping) =>
          void navigate({
            to: '/assets',
            search: (before) => ({
              ...readAssetSearch(before),
              where: where || undefined,
              search: text || undefined,
            }),
            replace: isTyping,
          })
        }
      />
      {search.source && (
        <Button
          variant="light"
          rightSection={<X size={13} aria-hidden />}
          onClick={() => void navigate({ to: '/assets', search: { ...search, source: undefined } })}
        >
          Of one source
        </Button>
      )}
    </>
  )
}
