import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Moon, Sun } from 'lucide-react'
import { inWords } from '#lib/in-words.ts'

/** The default is the theme of the operating system. */
export function ThemeSwitch({ className }: { readonly className: string | undefined }) {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  const Icon = other === 'dark' ? Moon : Sun
  return (
    <button
      type="button"
      className={className}
      onClick={() => setColorScheme(other)}
      aria-label={`Use ${inWords(other)} colours`}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}
