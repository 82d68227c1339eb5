import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, RefreshCw, Trash2, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { TrainingEnvironment } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { environmentKeys, useTrainingEnvironment, useTrainingEnvironmentLog } from '#renderer/api/training-environment.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { RayCluster } from './ray.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { isTestedVersion, untestedFirst, pathProblem, installSentence, SOURCE, STATE } from './words.ts'
import { BackToSetUp } from '#renderer/app/back-to-set-up.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'

/** Settings of the Python for training: the one found, how to install one, and the path of a custom one. */
export default function TrainingSection() {
  const environment = useTrainingEnvironment()
  return (
    <>
      <BackToSetUp />
      <p className="max-w-[72ch] text-sm text-second">
        Training, export and trying out a model run in separate Python processes. Telemetry of the libraries is turned off, and they
        download nothing during training.
      </p>
      {environment.data ? (
        <EnvironmentDetails environment={environment.data} />
      ) : environment.error ? (
        <ErrorState title="Couldn't check Python" error={environment.error} retry={() => void environment.refetch()} />
      ) : (
        <CheckingPython />
      )}
      <CustomPython />
      <RayCluster />
    </>
  )
}

const CheckingPython = () => (
  <Loading
    label="Looking for a Python that can train. The first time, its packages are imported, which takes a few seconds"
    className="flex flex-col gap-3"
  >
    <Skeleton className="h-6 w-72" />
    <Skeleton className="h-32 w-full" />
  </Loading>
)

function EnvironmentDetails({ environment }: { environment: TrainingEnvironment }) {
  const { state, source, python, version, cuda, devices, problem, hint, bytes, checkedAt, folder } = environment
  const queries = useQueryClient()
  const { offline } = useChange()
  const install = useJobOf(
    'training-environment',
    (repair: boolean) => api.installTrainingEnvironment({ body: { repair } }),
    'The environment was not installed',
  )
  const check = useMutation({
    mutationFn: () => api.getTrainingEnvironment({ query: { fresh: 'true' } }),
    onSuccess: (result) => queries.setQueryData(environmentKeys.all, result),
    meta: { title: "Couldn't check Python" },
  })
  // the installation has ended, but its result is not loaded yet
  if (state === 'installing' && install.job !== null && install.running === null) return <CheckingPython />
  const stateWords = STATE[install.running ? 'installing' : state]
  return (
    <Section
      title="Python for training"
      actions={
        <Button
          size="small"
          icon={RefreshCw}
          reason={offline ?? (install.running ? 'Installation in progress.' : null)}
          busy={check.isPending}
          onClick={() => check.mutate()}
        >
          Check again
        </Button>
      }
    >
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={stateWords.tone}>{stateWords.word}</Badge> {stateWords.sentence}
      </p>
      {!install.running && problem ? (
        <div role="alert" className="rounded border border-warn p-3 text-sm">
          <p className="break-words">{problem}</p>
          {hint ? (
            <p className="text-second">
              <CodeText text={hint} />
            </p>
          ) : null}
        </div>
      ) : null}
      {python ? (
        <Facts>
          <Fact name="Interpreter">
            <span className="font-mono text-xs break-all">{python}</span>
            {source ? <span className="text-second">, {SOURCE[source]}</span> : null}
          </Fact>
          <Fact name="Version">{version ?? 'unknown'}</Fact>
          <Fact name="GPU">
            {devices.length > 0
              ? devices.map(({ name, totalBytes }) => `${name}, ${formatBytes(totalBytes)}`).join('; ')
              : `none usable${cuda ? '' : ': this PyTorch is built for the CPU'}`}
          </Fact>
          {source === 'own' ? <Fact name="Size">{bytes === null ? 'not measured' : formatBytes(bytes)}</Fact> : null}
          <Fact name="Last checked">{checkedAt ? <RelativeTime at={checkedAt} /> : 'not yet'}</Fact>
        </Facts>
      ) : null}
      <InstallActions environment={environment} install={install} />
      {python ? <Packages packages={environment.packages} /> : null}
      <Log />
      <p className="text-xs text-second">
        The environment that Bash Gym installs is stored in <span className="font-mono break-all">{folder}</span> (not backed up).
      </p>
    </Section>
  )
}

type Install = ReturnType<typeof useJobOf<boolean>>

function InstallActions({
  environment: { state, source, bytes, problem },
  install,
}: {
  environment: TrainingEnvironment
  install: Install
}) {
  const { offline } = useChange()
  const queries = useQueryClient()
  const [openDialog, setOpenDialog] = useState<'repair' | 'remove' | null>(null)
  const remove = useMutation({
    mutationFn: () => api.removeTrainingEnvironment({}),
    onSuccess: (result) => {
      queries.setQueryData(environmentKeys.all, result)
      toast.done('Environment removed')
    },
    meta: { title: 'The environment was not removed' },
  })
  const isPartial = state === 'incomplete' && source !== 'variable' && source !== 'setting'
  const isInstalled = source === 'own' || bytes !== null
  if (install.running)
    return <JobProgress name="Installing" job={install.running} sentence={installSentence(install.running)} stop="Cancel" />
  return (
    <>
      {install.error ? <ErrorState title="The environment was not installed" error={install.error} /> : null}
      {install.wasStopped ? <p className="text-sm text-second">Cancelled. Downloaded files are kept; install again to continue.</p> : null}
      <div className="flex flex-wrap gap-2">
        {isInstalled ? (
          <Button icon={Wrench} reason={offline} busy={install.busy} onClick={() => setOpenDialog('repair')}>
            Repair environment …
          </Button>
        ) : (
          <Button
            look={state === 'ready' || (problem && !isPartial) ? 'plain' : 'primary'}
            icon={Download}
            reason={offline}
            busy={install.busy}
            onClick={() => install.start(false)}
          >
            {isPartial ? 'Resume installation' : 'Install environment'}
          </Button>
        )}
        {isInstalled || isPartial ? (
          <Button icon={Trash2} reason={offline} busy={remove.isPending} onClick={() => setOpenDialog('remove')}>
            Remove environment …
          </Button>
        ) : null}
      </div>
      {isInstalled ? null : (
        <p className="max-w-[72ch] text-xs text-second">
          Creates a virtual environment from a Python on this machine and downloads the packages with your pip configuration: about 1.6 GB
          without a GPU, several times that with one.
        </p>
      )}
      <Confirm
        open={openDialog === 'repair'}
        onOpenChange={(open) => setOpenDialog(open ? 'repair' : null)}
        title="Reinstall the environment?"
        action="Repair environment"
        danger={false}
        onConfirm={() => install.start(true)}
      >
        <p>It is removed and installed again. Packages in pip's cache are not downloaded again.</p>
      </Confirm>
      <Confirm
        open={openDialog === 'remove'}
        onOpenChange={(open) => setOpenDialog(open ? 'remove' : null)}
        title="Remove the environment?"
        action="Remove environment"
        onConfirm={() => remove.mutate()}
      >
        <p>{bytes === null ? 'The partial installation is deleted.' : `This frees ${formatBytes(bytes)}.`} Runs and models are kept.</p>
      </Confirm>
    </>
  )
}

function Packages({ packages }: { packages: TrainingEnvironment['packages'] }) {
  return (
    <Table
      caption="Packages"
      rows={untestedFirst(packages)}
      keyOf={({ name }) => name}
      columns={[
        { id: 'name', label: 'Package', cell: ({ name }) => <span className="font-mono text-xs">{name}</span> },
        {
          id: 'version',
          label: 'Version',
          cell: (item) => (
            <>
              <span className="font-mono text-xs">{item.version ?? '–'}</span>{' '}
              {isTestedVersion(item) ? null : <Badge tone="warn">{item.version ? 'other version' : 'missing'}</Badge>}
            </>
          ),
        },
        {
          id: 'wanted',
          label: 'Tested version',
          cell: ({ wanted }) => <span className="font-mono text-xs text-second">{wanted ?? 'any'}</span>,
        },
      ]}
    />
  )
}

/** The installation log; loaded only while it is open. */
function Log() {
  const [isOpen, setOpen] = useState(false)
  const log = useTrainingEnvironmentLog(isOpen)
  return (
    <details className="text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="py-1">Installation log</summary>
      {log.error ? <ErrorState title="Couldn't load the log" error={log.error} retry={() => void log.refetch()} /> : null}
      {log.data ? (
        <div className="flex flex-col gap-1">
          {log.data.text === '' ? (
            <p className="text-second">Empty so far.</p>
          ) : (
            <CodeBlock label="installation log" text={log.data.text} wrap className="flex max-h-96 flex-col" />
          )}
          <p className="text-xs text-second">
            Full log: <span className="font-mono break-all">{log.data.file}</span>
          </p>
        </div>
      ) : null}
    </details>
  )
}

function CustomPython() {
  const { settings, offline, change } = useChange()
  const { python } = settings.training
  const environment = useTrainingEnvironment()
  return (
    <Section title="Custom Python">
      <div>
        <SavedText
          label="Interpreter"
          hint="Path of a Python 3.11 to 3.14 that has the packages, for example in a virtual environment. Empty = the environment that Bash Gym installed, or else the first on PATH that can train. Overridden by BASHGYM_PYTHON if set."
          value={python}
          placeholder="/home/me/venv/bin/python"
          recommended=""
          reason={offline}
          read={(text) => (text.trim() === '' ? null : pathProblem(text))}
          onSave={(next) => change('Interpreter', { training: { python: next } })}
        />
        {environment.isFetching ? (
          <p role="status" className="text-sm text-second">
            Checking {python === '' ? 'the Python for training' : python} …
          </p>
        ) : null}
      </div>
    </Section>
  )
}
