import { Checkbox, type CheckboxGroupProps } from '@mantine/core'
import type { TargetRow } from '#api/generated/scans.ts'

type IndustrialRead = TargetRow['industrialReads'][number]

/** The protocols with what is asked in each. */
export const INDUSTRIAL_READS: Readonly<
  Record<IndustrialRead, { readonly title: string; readonly asks: string }>
> = {
  modbus: { title: 'Modbus', asks: 'Read Device Identification, port 502' },
  bacnet: { title: 'BACnet', asks: 'Names and versions of the device object, UDP 47808' },
  mqtt: { title: 'MQTT', asks: 'Version of the broker, port 1883' },
}

/** Off unless ticked: some devices of this kind fail when they are touched. */
export const IndustrialReadsInput = (input: Pick<CheckboxGroupProps, 'value' | 'onChange' | 'error'>) => (
  <Checkbox.Group
    label="Ask machines and buildings who they are"
    description="Sweeps leave these ports alone unless ticked. No process value is read, nothing is written."
    {...input}
  >
    {Object.entries(INDUSTRIAL_READS).map(([value, { title, asks }]) => (
      <Checkbox key={value} mt="xs" value={value} label={title} description={asks} />
    ))}
  </Checkbox.Group>
)
