import { useBaseModels } from '#renderer/api/base-models.ts'
import { PathList } from '#renderer/app/path-list.tsx'
import { BackToSetUp } from '#renderer/app/back-to-set-up.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Skeletons } from '#renderer/ui/skeletons.tsx'
import { ErrorState, Loading } from '#renderer/ui/states.tsx'
import { GetModels } from '../base-models/get-models.tsx'
import { ModelRow } from '../base-models/model-row.tsx'
import { ModelHub } from './model-hub.tsx'
import { pathProblem } from './words.ts'

/** Settings of base models: those on this machine, downloads, the folders to search, and the hub. */
export default function ModelsSection() {
  return (
    <>
      <BackToSetUp />
      <p className="max-w-[72ch] text-sm text-second">
        A training run starts from a base model. Bash Gym looks for them in the Hugging Face cache, Ollama, LM Studio, your folders and the
        results of your runs. Nothing is downloaded, and no hub is contacted, until you choose a model.
      </p>
      <Section title="On this machine">
        <LocalModels />
      </Section>
      <Section title="Download" note="Models that fit this machine come first">
        <GetModels />
      </Section>
      <Folders />
      <ModelHub />
    </>
  )
}

function LocalModels() {
  const models = useBaseModels()
  if (models.error) return <ErrorState title="Couldn't load the models" error={models.error} retry={() => void models.refetch()} />
  if (!models.data)
    return (
      <Loading label="Looking for models" className="flex flex-col gap-1">
        <Skeletons count={2} className="h-9 w-full" />
      </Loading>
    )
  if (models.data.items.length === 0) return <p className="text-sm text-second">No models were found on this machine.</p>
  return (
    <ul aria-label="Models on this machine" className="flex flex-col rounded border border-line">
      {models.data.items.map((model) => (
        <li
          key={`${model.id} ${model.path}`}
          title={model.path}
          className="flex min-h-9 items-center gap-3 border-b border-line px-2 py-1 text-sm last:border-b-0"
        >
          <ModelRow model={model} />
        </li>
      ))}
    </ul>
  )
}

function Folders() {
  const { settings, offline, change } = useChange()
  const { baseModels } = settings.training
  return (
    <Section title="Your folders">
      <PathList
        id="base-models"
        label="Folders to search"
        hint="Each can be a model or contain models and GGUF files, up to three levels deep. Nothing in them is changed."
        paths={baseModels}
        placeholder="/home/me/models"
        addLabel="Add folder"
        removeLabel={(path) => `Remove ${path}`}
        chooseTitle="Search this folder for base models"
        reason={offline}
        validate={pathProblem}
        onSave={(next) => change('Base models', { training: { baseModels: next } })}
      />
    </Section>
  )
}
