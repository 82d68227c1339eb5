import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatPrice } from '#renderer/ui/format.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AugmentPlan } from '#contracts/entities/augment.ts'

import type { ProviderId } from '#contracts/entities/provider.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { exampleKeys } from '#renderer/api/examples.ts'
import { useProviders } from '#renderer/api/providers.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { TableSkeleton } from '../skeletons.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { AmountFields, amountOf, DEFAULT_AMOUNT } from './grow-amount.tsx'
import { Estimate, type RunBudget } from './grow-estimate.tsx'
import { Runs } from './grow-runs.tsx'

/** Generates variants of accepted examples and new tasks with an external model: first an estimate, then a run within a budget. */
export function Grow() {
  const id = useId()
  const offline = useOfflineReason()
  const queries = useQueryClient()
  const providers = useProviders()
  const accepted = useQuery({
    queryKey: exampleKeys.facets({ state: ['accepted'] }),
    queryFn: ({ signal }) => api.getExampleFacets({ query: { state: ['accepted'] }, signal }),
  })
  const [chosenId, setChosenId] = useState<ProviderId | null>(null)
  const [model, setModel] = useState('')
  const [amount, setAmount] = useState(DEFAULT_AMOUNT)
  const provider = providers.data?.items.find((one) => one.id === (chosenId ?? providers.data.augmentation)) ?? null
  const parsed = amountOf(amount)
  const plan: AugmentPlan | null =
    typeof parsed === 'string'
      ? null
      : {
          ...parsed,
          source: { filter: { state: ['accepted'] } },
          maxOutputTokens: 1024,
          ...(provider ? { provider: provider.id } : {}),
          ...(model.trim() ? { model: model.trim() } : {}),
        }
  const planKey = JSON.stringify(plan)
  const estimate = useMutation({
    mutationFn: async (body: AugmentPlan) => ({ planKey: JSON.stringify(body), estimate: await api.estimateSynthetic({ body }) }),
    meta: { quiet: true },
  })
  const currentEstimate = estimate.data?.planKey === planKey ? estimate.data.estimate : null
  const job = useJobOf(
    'augment',
    async (input: { plan: AugmentPlan; budget: RunBudget }) => {
      const started = await api.generateSynthetic({ body: { ...input.plan, ...input.budget } })
      void queries.invalidateQueries({ queryKey: exampleKeys.augmentRuns })
      return started
    },
    "Couldn't start the run",
  )
  const noExamplesReason = accepted.data?.total === 0 ? 'Accept at least one example first.' : null
  return (
    <Page
      title="Generate more"
      summary="An external model writes variants of accepted examples and new tasks like them. Text leaves this machine only when you start a run, and the privacy policy is applied first."
      narrow
    >
      {providers.isPending ? <TableSkeleton label="Loading providers" /> : null}
      {providers.error && !providers.data ? (
        <ErrorState title="Couldn't load the providers" error={providers.error} retry={() => void providers.refetch()} />
      ) : null}
      {provider && providers.data ? (
        <Section
          title="Model"
          actions={
            <TextLink href="/settings/providers" className="text-xs">
              Provider settings
            </TextLink>
          }
        >
          <SelectRow
            label="Provider"
            hint={provider.baseUrl || 'No address set.'}
            value={provider.id}
            options={providers.data.items.map((one) => ({ value: one.id, label: one.ready ? one.name : `${one.name}, not set up` }))}
            onChange={(next) => {
              setChosenId(next)
              setModel('')
            }}
          />
          {provider.ready ? (
            <>
              <Field
                id={`${id}-model`}
                label="Model"
                hint={
                  provider.price && !model.trim()
                    ? `${formatPrice(provider.price.inputPerMTok)} input and ${formatPrice(provider.price.outputPerMTok)} output per million tokens.`
                    : 'The price is looked up when you estimate.'
                }
              >
                <TextInput
                  id={`${id}-model`}
                  list={`${id}-models`}
                  value={model}
                  onChange={setModel}
                  placeholder={provider.model}
                  className="w-80 font-mono"
                />
                <datalist id={`${id}-models`}>
                  {provider.models.map((one) => (
                    <option key={one} value={one} aria-label={one} />
                  ))}
                </datalist>
              </Field>
              <AmountFields amount={amount} accepted={accepted.data?.total} onChange={setAmount} />
              <div className="pt-3">
                <Button
                  busy={estimate.isPending}
                  reason={offline ?? noExamplesReason ?? (plan ? null : 'Enter a valid number of tasks.')}
                  look={currentEstimate ? 'plain' : 'primary'}
                  onClick={() => plan && estimate.mutate(plan)}
                >
                  Estimate cost
                </Button>
                <span className="pl-3 text-xs text-second">Nothing is sent yet.</span>
              </div>
            </>
          ) : (
            <NotSetUp missing={provider.missing} />
          )}
        </Section>
      ) : null}
      {estimate.error ? <ErrorState title="Couldn't estimate the cost" error={estimate.error} /> : null}
      {currentEstimate && plan ? (
        <Estimate
          key={planKey}
          make={plan.make}
          estimate={currentEstimate}
          busy={job.busy}
          onStart={(budget) => job.start({ plan, budget })}
        />
      ) : null}
      <JobState name="Asking the model" work={job} failed="The run failed" />
      <Runs isRunning={job.running !== null} />
    </Page>
  )
}

const NotSetUp = ({ missing }: { missing: string | null }) => (
  <EmptyState
    title="This provider is not set up"
    className="mx-0! items-start! px-0! text-left!"
    action={
      <ButtonLink look="primary" href="/settings/providers">
        Set up provider
      </ButtonLink>
    }
  >
    <p>{missing}</p>
  </EmptyState>
)
