import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { inTenant } from '#api/tenant-url.ts'
import { usePermission } from '#api/use-permission.ts'
import { toastFailed } from '#ui/toast.ts'
import { openDemo } from './own-tenants.ts'

/** Goes to an organisation of invented data, beside the real one. For administrators. */
export function DemoButton() {
  const may = usePermission()
  const open = useMutation({
    mutationFn: openDemo,
    onSuccess: (slug) => location.assign(inTenant('/', slug)),
    onError: ({ message }) => toastFailed(message),
  })
  if (!may('settings:write')) return null
  return (
    <Button variant="default" loading={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
      Look around in a demo company
    </Button>
  )
}
