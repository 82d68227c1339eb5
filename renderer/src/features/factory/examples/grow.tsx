import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AugmentPlan, Budget } from '#contracts/entities/augment.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keys } from '#renderer/api/keys.ts'
import { useProviders } from '#renderer/api/queries.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { TableSkeleton } from '../skeletons.tsx'
import { JobProgress } from '../job-progress.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { Estimate } from './grow-estimate.tsx'
import { Runs } from './grow-runs.tsx'

const VARIANTS = ['1', '2', '3', '5', '10'] as const

/** Other wordings of accepted examples, asked of a model elsewhere: first what it would send and cost, then within a budget. */
export function Grow() {
  const id = useId()
  const offline = useOfflineReason()
  const providers = useProviders()
  const accepted = useQuery({
    queryKey: keys.exampleFacets({ state: ['accepted'] }),
    queryFn: ({ signal }) => api.getExampleFacets({ query: { state: ['accepted'] }, signal }),
  })
  const [named, setNamed] = useState<ProviderId | null>(null)
  const [model, setModel] = useState('')
  const [variants, setVariants] = useState<(typeof VARIANTS)[number]>('2')
  const provider = providers.data?.items.find((one) => one.id === (named ?? providers.data.augmentation)) ?? null
  const plan: AugmentPlan = {
    selection: { filter: { state: ['accepted'] } },
    variants: Number(variants),
    maxOutputTokens: 1024,
    ...(provider ? { provider: provider.id } : {}),
    ...(model.trim() ? { model: model.trim() } : {}),
  }
  const asked = JSON.stringify(plan)
  const estimate = useMutation({
    mutationFn: async (body: AugmentPlan) => ({ asked: JSON.stringify(body), estimate: await api.estimateAugmentation({ body }) }),
    meta: { quiet: true },
  })
  const shown = estimate.data?.asked === asked ? estimate.data.estimate : null
  const job = useJobOf(
    'augment',
    (input: { plan: AugmentPlan; budget: Budget }) => api.startAugmentation({ body: { ...input.plan, budget: input.budget } }),
    'The variants were not asked for',
  )
  const none = accepted.data?.total === 0 ? 'No example is accepted yet.' : null
  if (providers.error && !providers.data)
    return (
      <ErrorState title="The providers could not be read" error={providers.error} retry={() => void providers.refetch()} className="m-4" />
    )
  return (
    <Page
      title="Grow"
      summary="Other wordings of the prompts of accepted examples, written by a model elsewhere. Text leaves this machine only when you start; the privacy policy is applied before."
      narrow
    >
      {!providers.data ? <TableSkeleton label="Loading the providers" /> : null}
      {provider && providers.data ? (
        <Section
          title="Who writes"
          actions={
            <TextLink href="/settings/providers" className="text-xs">
              Keys, models and limits
            </TextLink>
          }
        >
          <Field id={`${id}-provider`} label="Provider" hint={provider.baseUrl || 'No address is set.'}>
            <Select
              id={`${id}-provider`}
              className="min-w-56"
              value={provider.id}
              options={providers.data.items.map((one) => ({ value: one.id, label: one.ready ? one.name : `${one.name}, not set up` }))}
              onChange={(next) => {
                setNamed(next)
                setModel('')
              }}
            />
          </Field>
          {provider.ready ? (
            <>
              <Field
                id={`${id}-model`}
                label="Model"
                hint={
                  provider.price && !model.trim()
                    ? `$${provider.price.inputPerMTok} read and $${provider.price.outputPerMTok} written, a million tokens.`
                    : 'Its price is asked of the price list when you estimate.'
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
              <Field
                id={`${id}-variants`}
                label="Variants of each example"
                hint={
                  <>
                    <TextLink href="/factory/examples?state=accepted">{formatCount(accepted.data?.total)} accepted</TextLink> now; variants
                    of variants are not made.
                  </>
                }
              >
                <Select
                  id={`${id}-variants`}
                  value={variants}
                  options={VARIANTS.map((count) => ({ value: count, label: count }))}
                  onChange={setVariants}
                />
              </Field>
              <div className="pt-3">
                <Button
                  busy={estimate.isPending}
                  reason={offline ?? none}
                  look={shown ? 'plain' : 'primary'}
                  onClick={() => estimate.mutate(plan)}
                >
                  Estimate
                </Button>
                <span className="pl-3 text-xs text-second">Nothing is sent for it.</span>
              </div>
            </>
          ) : (
            <NotSetUp missing={provider.missing} />
          )}
        </Section>
      ) : null}
      {estimate.error ? <ErrorState title="It could not be estimated" error={estimate.error} /> : null}
      {shown ? <Estimate key={asked} estimate={shown} busy={job.busy} onStart={(budget) => job.start({ plan, budget })} /> : null}
      {job.running ? <JobProgress name="Asking for variants" job={job.running} onStop={job.cancel} /> : null}
      {job.error ? <ErrorState title="The variants were not made" error={job.error} /> : null}
      <Runs isRunning={job.running !== null} />
    </Page>
  )
}

const NotSetUp = ({ missing }: { missing: string | null }) => (
  <EmptyState
    title="Off: this provider is not set up"
    className="mx-0! items-start! px-0! text-left!"
    action={
      <ButtonLink look="primary" href="/settings/providers">
        Set it up
      </ButtonLink>
    }
  >
    <p>{missing}</p>
  </EmptyState>
)
