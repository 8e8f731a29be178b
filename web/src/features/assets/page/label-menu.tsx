import { ActionIcon, Menu } from '@mantine/core'
import { QrCode } from 'lucide-react'
import { inTenant } from '#api/tenant-url.ts'

/** The QR code that leads to this page: as an image, or as a label to print with name, serial number and id. */
export function LabelMenu({ assetId }: { readonly assetId: string }) {
  const image = (format: string) => inTenant(`/files/label?id=${assetId}&format=${format}`)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Label with a QR code"
          title="Label with a QR code"
        >
          <QrCode size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={inTenant(`/files/labels.pdf?ids=${assetId}`)}>
          Label to print (PDF)
        </Menu.Item>
        <Menu.Item component="a" href={image('svg')}>
          QR code as SVG
        </Menu.Item>
        <Menu.Item component="a" href={image('png')}>
          QR code as PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
