import type { TrainingEnvironment } from '#contracts/entities/run.ts'
import { useBaseModels } from '#renderer/api/base-models.ts'
import { useTrainingEnvironment } from '#renderer/api/training-environment.ts'
import { trainHref } from '#renderer/app/links.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { Step } from './step.tsx'

/** The way to a first own model: its next stop, which leads back here. */
export function TrainStep({ number }: { number: number }) {
  const environment = useTrainingEnvironment().data
  const models = useBaseModels().data
  const next = nextStop(environment, models === undefined ? undefined : models.suggested !== null)
  return (
    <Step number={number} title="Train a first model">
      <p className="text-sm text-second">{next.sentence}</p>
      <div>
        <ButtonLink href={next.href}>{next.label}</ButtonLink>
      </div>
    </Step>
  )
}

interface Stop {
  sentence: string
  label: string
  href: string
}

/** What training still needs. `hasModel`: a model on this machine can be trained on sessions; undefined while that is not known. */
export function nextStop(environment: Pick<TrainingEnvironment, 'state'> | undefined, hasModel: boolean | undefined): Stop {
  if (environment === undefined || hasModel === undefined)
    return { sentence: 'Checking what training needs on this machine …', label: 'Set up training', href: '/settings/training' }
  if (environment.state !== 'ready')
    return { sentence: 'Training needs a Python with its packages. Install it, or choose your own.', label: 'Set up training', href: '/settings/training' } // prettier-ignore
  if (!hasModel)
    return { sentence: 'Training needs a base model that can write tool calls. Download one that fits this machine.', label: 'Get a base model', href: '/settings/models' } // prettier-ignore
  return { sentence: 'Everything that training needs is here. Build a data set of your sessions, then train on it.', label: 'Train on my sessions', href: trainHref({}) } // prettier-ignore
}
