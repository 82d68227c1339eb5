import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { AppliedPrice, Price } from '#contracts/entities/price.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import { usePrices } from '#renderer/api/stats.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatCount, formatPrice } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

type UserPrice = Settings['prices'][number]

const FIELDS = [
  { name: 'inputPerMTok', label: 'Input' },
  { name: 'outputPerMTok', label: 'Output' },
  { name: 'cacheReadPerMTok', label: 'Cache read', placeholder: '0.1 × input' },
  { name: 'cacheWritePerMTok', label: 'Cache write', placeholder: '1.25 × input' },
] as const
type FieldName = (typeof FIELDS)[number]['name']

/** The price typed into the form, or its error. Cache prices are optional. */
export function readPrice(model: string, texts: Partial<Record<FieldName, string>>): { price: UserPrice } | { error: string } {
  if (!model.trim()) return { error: 'Enter a model name or prefix.' }
  const price: Partial<UserPrice> = { model: model.trim() }
  for (const { name, label } of FIELDS) {
    const text = texts[name]?.trim() ?? ''
    const isOptional = name === 'cacheReadPerMTok' || name === 'cacheWritePerMTok'
    if (text === '' && isOptional) continue
    if (text === '' || !(Number(text) >= 0)) return { error: `${label} must be a number, 0 or more.` }
    price[name] = Number(text)
  }
  return { price: price as UserPrice }
}

const PRICE_COLUMNS = FIELDS.map(({ name, label }) => ({
  id: name,
  label,
  numeric: true as const,
  cell: (price: Price) => formatPrice(price[name]),
}))

const mono = (text: string) => <span className="font-mono text-xs">{text}</span>

export function PricesSection() {
  const { settings, offline, change } = useChange()
  const { prices } = settings
  const [model, setModel] = useState('')
  const [texts, setTexts] = useState<Partial<Record<FieldName, string>>>({})
  const parsed = readPrice(model, texts)
  const savePrices = (next: UserPrice[]) => change('Prices', { prices: next })
  return (
    <>
      <UsedModels
        onPick={setModel}
        onTake={(name, price) => savePrices([...prices.filter((other) => other.model !== name), takenPrice(name, price)])}
        offline={offline}
      />
      <Section title="Your prices" note="USD per million tokens. They override the built-in prices; the longest matching prefix wins.">
        {prices.length > 0 ? (
          <Table
            caption="Your prices"
            rows={prices}
            keyOf={(price) => price.model}
            columns={[
              { id: 'model', label: 'Model name or prefix', cell: (price) => mono(price.model) },
              ...FIELDS.map((field) => ({
                id: field.name,
                label: field.label,
                numeric: true as const,
                cell: (price: UserPrice) => {
                  const userPrice = price[field.name]
                  return userPrice === undefined && 'placeholder' in field ? field.placeholder : formatPrice(userPrice)
                },
              })),
              {
                id: 'remove',
                label: '',
                cell: (price) => (
                  <IconButton
                    label={`Remove the price of ${price.model}`}
                    icon={X}
                    reason={offline}
                    onClick={() => savePrices(prices.filter((other) => other !== price))}
                  />
                ),
              },
            ]}
          />
        ) : (
          <p className="text-sm text-second">None. The built-in prices apply.</p>
        )}
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!('price' in parsed) || offline) return
            savePrices([...prices.filter((other) => other.model !== parsed.price.model), parsed.price])
            setModel('')
            setTexts({})
          }}
        >
          <label className="flex min-w-48 flex-1 flex-col gap-1 text-xs text-second" htmlFor="price-model">
            Model name or prefix
            <TextInput id="price-model" className="font-mono" value={model} onChange={setModel} />
          </label>
          {FIELDS.map((field) => (
            <label key={field.name} className="flex flex-col gap-1 text-xs text-second" htmlFor={`price-${field.name}`}>
              {field.label}
              <TextInput
                id={`price-${field.name}`}
                inputMode="decimal"
                className="w-28 text-right font-mono"
                placeholder={'placeholder' in field ? field.placeholder : ''}
                value={texts[field.name] ?? ''}
                onChange={(text) => setTexts((before) => ({ ...before, [field.name]: text }))}
              />
            </label>
          ))}
          <Button type="submit" icon={Plus} reason={offline ?? ('error' in parsed ? parsed.error : null)}>
            Add price
          </Button>
        </form>
      </Section>
      <BuiltInPrices />
    </>
  )
}

/** The price of another model as the user's own for this one. */
const takenPrice = (model: string, price: Price): UserPrice => ({
  model,
  inputPerMTok: price.inputPerMTok,
  outputPerMTok: price.outputPerMTok,
  cacheReadPerMTok: price.cacheReadPerMTok,
})

interface UsedModelsProps {
  onPick: (model: string) => void
  onTake: (model: string, price: Price) => void
  offline: string | null
}

/** Each model in the archive, with the price used for its sessions. */
function UsedModels({ onPick, onTake, offline }: UsedModelsProps) {
  const prices = usePrices()
  return (
    <Section title="Models in your archive" note="USD per million tokens">
      <Fetched query={prices} what="models in your archive" bars={['h-8 w-80']}>
        {({ used: models }) =>
          models.length === 0 ? (
            <p className="text-sm text-second">None yet. Import sessions to see their models here.</p>
          ) : (
            <Table
              caption="Models in your archive"
              rows={models}
              keyOf={(used) => used.model}
              columns={[
                { id: 'model', label: 'Model', cell: (used) => <MiddleCut className="font-mono text-xs" text={used.model} end={16} /> },
                {
                  id: 'source',
                  label: 'Priced as',
                  cell: ({ model, price, similar }) =>
                    price ? (
                      <span className="text-xs text-second">{priceSource(price)}</span>
                    ) : (
                      <span className="flex items-center gap-2 text-xs text-warn">
                        Unknown; its sessions show no cost
                        {similar && (
                          <Button size="small" reason={offline} onClick={() => onTake(model, similar)}>
                            Use price of {similar.model}
                          </Button>
                        )}
                        <Button size="small" onClick={() => onPick(model)}>
                          Set price
                        </Button>
                      </span>
                    ),
                },
                ...FIELDS.map(({ name, label }) => ({
                  id: name,
                  label,
                  numeric: true as const,
                  cell: ({ price }: { price: AppliedPrice | null }) => formatPrice(price?.[name] ?? null),
                })),
              ]}
            />
          )
        }
      </Fetched>
    </Section>
  )
}

const priceSource = ({ model, from, asOf }: AppliedPrice) => (from === 'own' ? `${model} (your price)` : `${model} (${asOf})`)

function BuiltInPrices() {
  const { data } = usePrices()
  const [text, setText] = useState('')
  if (!data) return null
  const words = text.trim().toLowerCase()
  const rows = data.items.filter(({ model }) => (words === '' ? model.startsWith('claude') : model.includes(words)))
  return (
    <Section title={`Built-in prices (${data.asOf})`} note={`List prices in USD per million tokens, from ${data.source}`}>
      <TextInput
        aria-label="Search the built-in prices"
        className="max-w-80"
        value={text}
        onChange={setText}
        placeholder={`Search ${formatCount(data.items.length)} models`}
      />
      <Table
        caption="Built-in prices"
        rows={rows}
        keyOf={(price) => price.model}
        columns={[{ id: 'model', label: 'Model', cell: (price) => mono(price.model) }, ...PRICE_COLUMNS]}
      />
    </Section>
  )
}
