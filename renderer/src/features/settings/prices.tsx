import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Settings } from '#contracts/entities/settings.ts'
import { useStats } from '#renderer/api/queries.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatUsd } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useChange } from './use-setting.ts'

type Price = Settings['prices'][number]

/** The price that the texts mean, or why they mean none. */
export function readPrice(model: string, input: string, output: string): { price: Price } | { error: string } {
  const [inputPerMTok, outputPerMTok] = [Number(input), Number(output)]
  if (!model.trim()) return { error: 'A model is needed.' }
  if (!input.trim() || !output.trim() || !(inputPerMTok >= 0) || !(outputPerMTok >= 0))
    return { error: 'Both prices must be numbers, 0 or more.' }
  return { price: { model: model.trim(), inputPerMTok, outputPerMTok } }
}

export function PricesSection() {
  const { settings, offline, change } = useChange()
  const stats = useStats()
  const { prices } = settings
  const unpriced = stats.data?.unpricedModels ?? []
  const [model, setModel] = useState('')
  const [input, setInput] = useState('')
  const [output, setOutput] = useState('')
  const read = readPrice(model, input, output)
  const set = (next: Price[]) => change('Prices', { prices: next }, { prices })
  return (
    <Section title="Own prices" note="USD for a million tokens; own before built-in, the longest beginning of the model's name wins">
      {stats.isPending ? (
        <Loading label="Looking for models without a price">
          <Skeleton className="h-8 w-80" />
        </Loading>
      ) : null}
      {stats.error && !stats.data ? (
        <ErrorState title="The models without a price could not be listed" error={stats.error} retry={() => void stats.refetch()} />
      ) : null}
      {unpriced.length > 0 ? (
        <div className="flex flex-col gap-2 text-sm">
          <p className="text-second">No price is known for these, so their sessions show “–” as cost:</p>
          <ul className="flex flex-wrap gap-2">
            {unpriced.map((name) => (
              <li key={name} className="max-w-full">
                <Button size="small" className="max-w-full font-mono" onClick={() => setModel(name)}>
                  <MiddleCut text={name} end={16} />
                </Button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {prices.length > 0 ? (
        <Table
          caption="Own prices"
          rows={prices}
          keyOf={(price) => price.model}
          columns={[
            { id: 'model', label: 'Model', cell: (price) => <span className="font-mono text-xs">{price.model}</span> },
            { id: 'input', label: 'Input', numeric: true, cell: (price) => formatUsd(price.inputPerMTok) },
            { id: 'output', label: 'Output', numeric: true, cell: (price) => formatUsd(price.outputPerMTok) },
            {
              id: 'remove',
              label: '',
              cell: (price) => (
                <IconButton
                  label={`Remove the price of ${price.model}`}
                  icon={X}
                  reason={offline}
                  onClick={() => set(prices.filter((other) => other !== price))}
                />
              ),
            },
          ]}
        />
      ) : (
        <p className="text-sm text-second">None yet: the built-in prices hold.</p>
      )}
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!('price' in read) || offline) return
          set([...prices.filter((other) => other.model !== read.price.model), read.price])
          setModel('')
          setInput('')
          setOutput('')
        }}
      >
        <label className="flex min-w-48 flex-1 flex-col gap-1 text-xs text-second" htmlFor="price-model">
          Model, or its beginning
          <TextInput id="price-model" className="font-mono" value={model} onChange={setModel} />
        </label>
        <label className="flex flex-col gap-1 text-xs text-second" htmlFor="price-input">
          Input
          <TextInput id="price-input" inputMode="decimal" className="w-24 text-right font-mono" value={input} onChange={setInput} />
        </label>
        <label className="flex flex-col gap-1 text-xs text-second" htmlFor="price-output">
          Output
          <TextInput id="price-output" inputMode="decimal" className="w-24 text-right font-mono" value={output} onChange={setOutput} />
        </label>
        <Button type="submit" icon={Plus} reason={offline ?? ('error' in read ? read.error : null)}>
          Add
        </Button>
      </form>
    </Section>
  )
}
