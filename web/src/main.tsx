import './styles/library.css'
import './styles/tokens.css'
import './styles/mantine.css'
import './styles/base.css'
import './styles/print.css'
import './styles/app-skeleton.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '#api/query-client.ts'
import { addTenantToUrl, takeHandedOverSession } from '#api/session.ts'
import { tenantSlugOf } from '#api/tenant-url.ts'
import { createAppRouter } from './app-router.ts'
import { colorSchemeManager, theme } from './theme.ts'

const queryClient = createQueryClient()
takeHandedOverSession(queryClient)
await addTenantToUrl(queryClient)
const router = createAppRouter(queryClient, tenantSlugOf(location.pathname))
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notifications position="bottom-right" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
