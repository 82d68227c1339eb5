import { ProviderSettings, type ProviderStatus } from '#contracts/entities/provider.ts'
import { useProviders } from '#renderer/api/providers.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatPrice } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { ProviderKey } from './provider-key.tsx'
import { LIMITS, readLimit, type Limit } from './provider-limits.ts'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

const RECOMMENDED = ProviderSettings.parse({})

export function ProvidersSection() {
  const providers = useProviders()
  const { data } = useSettings()
  return (
    <>
      <p className="max-w-[72ch] text-sm text-second">
        A model from one of these providers writes variants of examples and new tasks in{' '}
        <TextLink href="/factory/examples/grow">Generate more</TextLink>. Nothing is sent until you start it there, and everything that is
        sent goes through the <TextLink href="/settings/privacy">privacy filter</TextLink>.
      </p>
      {providers.data ? (
        <>
          <Section title="Provider in use">
            <Chosen
              items={providers.data.items}
              augmentation={providers.data.augmentation}
              variable={providers.data.augmentationVariable}
            />
          </Section>
          {providers.data.items.map((provider) => (
            <Provider key={provider.id} provider={provider} />
          ))}
        </>
      ) : providers.error ? (
        <ErrorState title="Couldn't load the providers" error={providers.error} retry={() => void providers.refetch()} />
      ) : (
        <Shape />
      )}
      <Limits />
      <p className="max-w-[72ch] text-xs text-second">
        Addresses, models and limits are stored in <span className="font-mono break-all">{data?.storedIn}</span>. Keys are stored in a
        separate file that only you can read (not backed up).
      </p>
    </>
  )
}

function Chosen({
  items,
  augmentation,
  variable,
}: {
  items: readonly ProviderStatus[]
  augmentation: ProviderStatus['id']
  variable: string | null
}) {
  const { offline, change } = useChange()
  return (
    <SelectRow
      label="For variants and new tasks"
      hint={variable === null ? 'Overridden by AUGMENTATION_PROVIDER if set.' : `Set by ${variable}; it cannot be changed here.`}
      value={augmentation}
      disabled={offline !== null || variable !== null}
      options={items.map((one) => ({ value: one.id, label: one.ready ? one.name : `${one.name}, not set up` }))}
      onChange={(next) => change('Provider for variants and new tasks', { providers: { augmentation: next } })}
    />
  )
}

function Provider({ provider }: { provider: ProviderStatus }) {
  const { settings, offline, change } = useChange()
  const { id, name, baseUrlVariable, price } = provider
  const saved = settings.providers[id]
  // the server's sentence says where to enter a key, which is this page
  const missing = provider.keyVariable !== null && provider.keyFrom === null ? 'An API key is needed.' : provider.missing
  const set = (what: string, part: Partial<typeof saved>) => change(`${name}, ${what}`, { providers: { [id]: { ...saved, ...part } } })
  return (
    <Section title={name} actions={<Badge tone={provider.ready ? 'ok' : 'neutral'}>{provider.ready ? 'ready' : 'not set up'}</Badge>}>
      {missing === null ? null : <p className="text-sm text-second">{missing}</p>}
      <div>
        <SavedText
          label="Address"
          hint={addressHint(provider)}
          value={provider.baseUrl}
          placeholder={RECOMMENDED[id].baseUrl || 'http://localhost:11434/v1'}
          reason={offline ?? (baseUrlVariable === null ? null : `Set by ${baseUrlVariable}.`)}
          recommended={RECOMMENDED[id].baseUrl}
          onSave={(baseUrl) => set('address', { baseUrl })}
        />
        <SavedText
          label="Model"
          hint={
            provider.model === '' ? null : price === null ? (
              <>
                No price is known for this model, so the cost of a run is unknown. Add one in{' '}
                <TextLink href="/settings/prices">Prices</TextLink>.
              </>
            ) : (
              `${formatPrice(price.inputPerMTok)} input and ${formatPrice(price.outputPerMTok)} output per million tokens.`
            )
          }
          value={provider.model}
          placeholder={RECOMMENDED[id].model || 'model name'}
          offered={provider.models}
          reason={offline}
          recommended={RECOMMENDED[id].model}
          onSave={(model) => set('model', { model })}
        />
        <ProviderKey provider={provider} />
      </div>
    </Section>
  )
}

const addressHint = ({ id, baseUrlVariable }: ProviderStatus) =>
  baseUrlVariable === null
    ? id === 'openai'
      ? 'Any endpoint with an OpenAI-compatible chat API, including one on this machine. Keys are sent only over https or to this machine.'
      : id === 'nim'
        ? 'Overridden by NIM_ENDPOINT if set.'
        : null
    : `Set by ${baseUrlVariable}; it cannot be changed here.`

function Limits() {
  const { settings, offline, change } = useChange()
  return (
    <Section title="Limits" note="They apply to every provider">
      <div>
        {(Object.keys(LIMITS) as Limit[]).map((name) => {
          const { label, hint } = LIMITS[name]
          return (
            <SavedText
              key={name}
              label={label}
              hint={hint}
              value={String(settings.providers[name])}
              recommended={String(RECOMMENDED[name])}
              reason={offline}
              read={(text) => readLimit(name, text)}
              onSave={(text) => change(label, { providers: { [name]: Number(text) } })}
              narrow
            />
          )
        })}
      </div>
    </Section>
  )
}

const Shape = () => (
  <Loading label="Loading the providers" className="flex flex-col gap-6">
    <Skeleton className="h-20 w-full" />
    {['anthropic', 'nim', 'openai'].map((id) => (
      <div key={id} className="flex flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-44 w-full" />
      </div>
    ))}
  </Loading>
)
