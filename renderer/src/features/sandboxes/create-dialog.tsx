import { useState } from 'react'
import type { Sandbox, SandboxBackendState } from '#contracts/entities/sandbox.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import { useCreateSandbox, useSnapshots } from '#renderer/api/sandboxes.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { LinesRow, SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Fold } from '#renderer/ui/fold.tsx'
import { GuardFields } from './create-guard.tsx'
import { FileFields } from './create-files.tsx'
import { numberRows } from '#renderer/app/run-form/number-rows.tsx'
import { type CreateForm, limitsInWords, NEW_FORM, problemsOf, specOf } from './create-form.ts'

/** The form for a new sandbox. Only the system has no default; rarely needed fields are collapsed. */
export function CreateDialog({
  backends,
  onClose,
  onCreated,
}: {
  /** Undefined while they are loading. */
  backends: readonly SandboxBackendState[] | undefined
  onClose: () => void
  onCreated: (sandbox: Sandbox) => void
}) {
  const snapshots = useSnapshots()
  const systems = (backends ?? []).flatMap(({ name: backend, images }) => images.map((image) => ({ backend, image })))
  const [chosenSystem, setChosenSystem] = useState<Pick<CreateForm, 'backend' | 'image'> | null>(null)
  const [values, setValues] = useState(NEW_FORM)
  const change = (part: Partial<typeof NEW_FORM>) => setValues((before) => ({ ...before, ...part }))
  const create = useCreateSandbox(onCreated)

  const system = chosenSystem ?? systems[0] ?? { backend: 'bubblewrap' as const, image: '' }
  const snapshot = snapshots.data?.items.find(({ name, backend }) => name === system.image && backend === system.backend)
  const { choosesAddresses } = ENGINE_ABILITIES[system.backend]
  const networks = [NONE, choosesAddresses ? ALLOWED : OPEN]
  const form: CreateForm = {
    ...values,
    ...system,
    profile: snapshot?.profile ?? values.profile,
    network: networks.some(({ value }) => value === values.network) ? values.network : 'none',
  }
  const problems = problemsOf(form)
  const reason =
    backends === undefined
      ? 'Still looking for sandbox engines.'
      : system.image === ''
        ? 'There is no image to start from.'
        : (Object.values(problems)[0] ?? null)
  const number = numberRows<CreateForm>({ form, defaults: { ...NEW_FORM, ...system }, problems, set: change })
  return (
    <FormDialog
      wide
      title="New sandbox"
      description="The sandbox starts at once, or waits in a queue while the maximum number of sandboxes is running."
      action="Create and start"
      reason={reason}
      busy={create.isPending}
      onSubmit={() => create.mutate(specOf(form))}
      onClose={onClose}
    >
      <SelectRow
        label="System"
        hint="The files it starts with. host: this machine's programs, read-only. A snapshot: the files of an earlier sandbox."
        className="w-72"
        value={`${system.backend} ${system.image}`}
        options={systems.map(({ backend, image }) => ({ value: `${backend} ${image}`, label: `${image} (${backend})` }))}
        onChange={(value) => setChosenSystem(systems.find(({ backend, image }) => `${backend} ${image}` === value) ?? null)}
      />
      <TextRow
        label="Name"
        hint="Optional; otherwise the first characters of its id."
        value={form.name}
        onChange={(name) => change({ name })}
      />
      <SelectRow
        label="Profile"
        hint={
          snapshot
            ? 'The profile of the sandbox that the snapshot was taken of.'
            : 'Machine: you are root and can write to system folders. Strict: you are an ordinary user and can write only to your folders.'
        }
        value={form.profile}
        disabled={snapshot !== undefined}
        options={[
          { value: 'machine', label: 'Machine' },
          { value: 'strict', label: 'Strict' },
        ]}
        onChange={(profile) => change({ profile })}
      />
      <SelectRow
        label="Network"
        hint={
          choosesAddresses
            ? 'Allowed addresses: programs inside can reach only these, over HTTP and HTTPS.'
            : 'Open: programs inside can reach every address that this machine can.'
        }
        value={form.network}
        options={networks}
        onChange={(network) => change({ network })}
      />
      {form.network === 'allow' ? (
        <LinesRow
          label="Allowed addresses"
          hint="One host:port per line. A host name may resolve only to public addresses; for this machine or your network, enter the IP address."
          error={form.allow === '' ? undefined : problems.allow}
          value={form.allow}
          placeholder={'api.example.com:443\nfiles.example.com:443'}
          onChange={(allow) => change({ allow })}
        />
      ) : null}
      <LinesRow
        label="Set-up commands"
        hint="One per line. Run once at the start, in this order; if one fails, the sandbox does not start."
        value={form.setup}
        placeholder="echo hello > /tmp/hello.txt"
        onChange={(setup) => change({ setup })}
      />
      <Fold title="Limits" summary={limitsInWords(form)} hasProblem={NUMBERS.some((name) => problems[name])}>
        {number('memoryMb', 'Memory', 'Megabytes, for all processes together.')}
        {number('cpus', 'Processor', 'Cores.')}
        {number('diskMb', 'Disk', 'Megabytes, for all files together.')}
        {number('pids', 'Processes', 'At the same time.')}
        {number('commandTimeoutSec', 'Time limit of a command', 'Seconds. A command that takes longer is stopped; the shell stays open.')}
        {number('setupTimeoutSec', 'Time limit of the set-up', 'Seconds, for all set-up commands together.')}
        {number('idleTimeoutSec', 'Stop when idle', 'Seconds without a command.')}
        {number('lifetimeSec', 'Lifetime', 'Seconds until the sandbox is stopped.')}
      </Fold>
      <Fold
        title="Environment and files"
        summary={[
          form.env.trim() === '' ? 'no variables' : 'variables set',
          form.files.length === 0 ? 'no files' : `${form.files.length} to copy in`,
        ].join(', ')}
        hasProblem={Boolean(problems.env ?? problems.workdir ?? problems.files)}
      >
        <LinesRow
          label="Variables"
          hint="One NAME=value per line, for every program inside."
          error={problems.env}
          value={form.env}
          placeholder="TOKEN=…"
          onChange={(env) => change({ env })}
        />
        <TextRow
          label="Working directory"
          hint="The folder that sessions start in; created if it does not exist."
          error={problems.workdir}
          value={form.workdir}
          placeholder={form.profile === 'machine' ? '/' : '/home/user'}
          mono
          onChange={(workdir) => change({ workdir })}
        />
        <FileFields
          files={form.files}
          folder={form.profile === 'machine' ? '/root' : '/home/user'}
          error={problems.files}
          onChange={(files) => change({ files })}
        />
        <SwitchRow
          label="Terminal"
          hint="Off: output and errors go to plain pipes, as in a script."
          checked={form.hasTerminal}
          onChange={(hasTerminal) => change({ hasTerminal })}
        />
      </Fold>
      <GuardFields overrides={form.guard} onChange={(guard) => change({ guard })} />
    </FormDialog>
  )
}

const NUMBERS = [
  'memoryMb',
  'cpus',
  'diskMb',
  'pids',
  'commandTimeoutSec',
  'setupTimeoutSec',
  'idleTimeoutSec',
  'lifetimeSec',
] as const satisfies readonly (keyof CreateForm)[]
const NONE = { value: 'none', label: 'None' } as const
const ALLOWED = { value: 'allow', label: 'Allowed addresses' } as const
const OPEN = { value: 'open', label: 'Open' } as const
