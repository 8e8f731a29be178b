import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { LogOut, Plus, SunMoon } from 'lucide-react'
import { signOut } from '#api/session.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { leave } from '../account-menu.tsx'
import { actions, bestFirst } from './actions.ts'
import type { Command } from './command.ts'
import { useFoundCommands } from './found-commands.ts'
import { navigationItems } from '../navigation/navigation.ts'
import { isOffered } from '../navigation/offered-sections.ts'
import { wordsOf } from './screen-words.ts'

interface Commands {
  readonly commands: readonly Command[]
  /** The inventory has not answered yet. */
  readonly isSearching: boolean
}

/** What the inventory has of the text, then screens and actions of that name. */
export function useCommands(text: string): Commands {
  const wanted = text.trim()
  const { found, isSearching } = useFoundCommands(wanted)
  const fixed = useFixedCommands()
  return { commands: [...found, ...bestFirst(fixed, wanted)], isSearching }
}

function useFixedCommands(): readonly Command[] {
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const { session } = useRouteContext({ from: '/app' })
  const going = navigationItems
    .filter((item) => isOffered(item, session))
    .map(({ to, title, icon, key }) => ({
      id: `go-${key}`,
      icon,
      title: `Go to ${inSentence(title)}`,
      otherNames: wordsOf(to),
      aside: `g ${key}`,
      run: () => void navigate({ to }),
    }))
  const doing = actions
    .filter(({ permission }) => session.permissions.includes(permission))
    .filter(({ to }) => navigationItems.some((item) => item.to === to && isOffered(item, session)))
    .map(({ title, words, to }) => ({
      id: `do-${to.slice(1)}`,
      icon: Plus,
      title,
      words,
      aside: '',
      run: () => void navigate({ to, state: { opensForm: true } }),
    }))
  return [
    ...going,
    ...doing,
    {
      id: 'theme',
      icon: SunMoon,
      title: 'Switch between light and dark',
      aside: '',
      run: toggleColorScheme,
    },
    { id: 'sign-out', icon: LogOut, title: 'Sign out', aside: '', run: () => void leave(signOut) },
  ]
}
