import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  SetBudgetSettingsDocument,
  SetExchangeRateDocument,
  SetReplacementPriceDocument,
  type BudgetTermsRow,
} from '#api/generated/reports.ts'
import { useChange } from '#api/query-client.ts'
import { spaced } from '#lib/in-words.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface Closing {
  readonly onClose: () => void
}

/** Fields have the names by which the server refuses them. */
export function SettingsForm({ terms, onClose }: Closing & { readonly terms: BudgetTermsRow }) {
  const form = useForm({ initialValues: { currency: terms.currency ?? '', 'price-rise': terms.priceRise } })
  const save = useChange(SetBudgetSettingsDocument, { isQuiet: true, done: 'Budget settings saved' })
  return (
    <FormDialog
      isOpen
      title="Budget settings"
      action="Save"
      form={form}
      onSubmit={(it) =>
        save.mutateAsync({ currency: it.currency.trim(), priceRise: it['price-rise'].trim() })
      }
      onClose={onClose}
    >
      <TextInput
        label="Currency"
        description="Such as EUR. Empty: each price stays in its own."
        {...form.getInputProps('currency')}
      />
      <TextInput
        label="Prices rise a year by"
        description="0.03 is three percent."
        required
        {...form.getInputProps('price-rise')}
      />
    </FormDialog>
  )
}

export function PriceForm({
  price: { deviceType, price, currency, lifeMonths },
  onClose,
}: Closing & { readonly price: BudgetTermsRow['prices'][number] }) {
  const form = useForm({
    initialValues: {
      price: price ?? '',
      currency: currency ?? '',
      'life-months': lifeMonths === null ? '' : String(lifeMonths),
    },
  })
  const save = useChange(SetReplacementPriceDocument, { isQuiet: true, done: 'Price saved' })
  return (
    <FormDialog
      isOpen
      title={`Replacing one ${spaced(deviceType)}`}
      action="Save"
      form={form}
      onSubmit={(it) =>
        save.mutateAsync({
          deviceType,
          price: it.price.trim(),
          currency: it.currency.trim(),
          lifeMonths: it['life-months'].trim(),
        })
      }
      onClose={onClose}
    >
      <TextInput label="Price" placeholder="1190.00" {...form.getInputProps('price')} />
      <TextInput label="Currency" placeholder="EUR" {...form.getInputProps('currency')} />
      <TextInput
        label="Lasts so many months"
        description="Empty: what has no recorded day is in no forecast."
        inputMode="numeric"
        {...form.getInputProps('life-months')}
      />
    </FormDialog>
  )
}

export function RateForm({ onClose }: Closing) {
  const form = useForm({ initialValues: { currency: '', rate: '', day: '' } })
  const save = useChange(SetExchangeRateDocument, { isQuiet: true, done: 'Rate saved' })
  return (
    <FormDialog
      isOpen
      title="Rate of exchange"
      action="Save"
      form={form}
      onSubmit={({ currency, rate, day }) =>
        save.mutateAsync({ currency: currency.trim(), rate: rate.trim(), day: day || null })
      }
      onClose={onClose}
    >
      <TextInput label="One" placeholder="USD" required data-autofocus {...form.getInputProps('currency')} />
      <TextInput
        label="Is worth"
        description="In the currency of forecasts."
        placeholder="0.9154"
        required
        {...form.getInputProps('rate')}
      />
      <TextInput label="From" type="date" description="Empty: today." {...form.getInputProps('day')} />
    </FormDialog>
  )
}
