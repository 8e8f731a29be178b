import {
  createTheme,
  localStorageColorSchemeManager,
  type ButtonProps,
  type DrawerProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PasswordInputProps,
  type TooltipProps,
} from '@mantine/core'

// The colours are CSS variables (styles/); Mantine requires ten shades by name.
const accent: MantineColorsTuple = [
  '#e3f1f4',
  '#c6e3e9',
  '#9dced9',
  '#6fb5c5',
  '#4a9fb2',
  '#2a8296',
  '#1b7286',
  '#0d6375',
  '#0a4f5e',
  '#073b47',
]

/** `lockScroll` would add a style element, which the CSP forbids; styles/mantine.css locks scrolling instead. */
const overlay = {
  lockScroll: false,
  closeButtonProps: { 'aria-label': 'Close' },
  transitionProps: { duration: 120, transition: 'fade' as const },
}

/** The placeholder would be a child of the menu that is no item of it; without it the first item has the focus. */
const menu = {
  transitionProps: { duration: 80 },
  shadow: 'none' as const,
  withInitialFocusPlaceholder: false,
}

/** Typed without importing the components, which would have to be loaded before the sign-in form. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps })

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: defaults<ModalProps>({ ...overlay, centered: true, overlayProps: { backgroundOpacity: 0.4 } }),
    Drawer: defaults<DrawerProps>(overlay),
    Button: defaults<ButtonProps>({ size: 'xs' }),
    Menu: defaults<MenuProps>(menu),
    Tooltip: defaults<TooltipProps>({ openDelay: 300, transitionProps: { duration: 80 } }),
    PasswordInput: defaults<PasswordInputProps>({
      visibilityToggleButtonProps: { 'aria-label': 'Show what is typed' },
    }),
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'rollcall-theme' })
