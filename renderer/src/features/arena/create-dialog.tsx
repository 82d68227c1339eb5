import { useId, useState } from 'react'
import type { Sandbox, SandboxBackendState } from '#contracts/entities/sandbox.ts'
import { useCreateSandbox } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { LinesRow, NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Select } from '#renderer/ui/select.tsx'

/** Everything but image and set-up has a default that holds. */
export function CreateDialog({
  backends,
  onClose,
  onCreated,
}: {
  /** Undefined: not known yet. */
  backends: readonly SandboxBackendState[] | undefined
  onClose: () => void
  onCreated: (sandbox: Sandbox) => void
}) {
  const images = (backends ?? []).flatMap(({ name, images: known }) =>
    known.map((image) => ({ value: `${name} ${image}`, label: `${image} (${name})` })),
  )
  const [chosen, setImage] = useState<string | null>(null)
  const image = chosen ?? images[0]?.value ?? ''
  const [name, setName] = useState('')
  const [profile, setProfile] = useState<'machine' | 'strict'>('machine')
  const [network, setNetwork] = useState<'none' | 'open'>('none')
  const [setup, setSetup] = useState('')
  const [memory, setMemory] = useState('512')
  const [cpus, setCpus] = useState('1')
  const [timeout, setTimeout] = useState('120')
  const create = useCreateSandbox(onCreated)
  const imageId = useId()
  const profileId = useId()
  const networkId = useId()
  const numbers = { memory: problem(memory, 16), cpus: problem(cpus, 0.1), timeout: problem(timeout, 0.1) }
  const reason =
    backends === undefined
      ? 'Still looking which engines are there.'
      : image === ''
        ? 'There is no image to start from.'
        : Object.values(numbers).some(Boolean)
          ? 'Correct the numbers first.'
          : null

  const submit = () => {
    const [backend, ...words] = image.split(' ')
    create.mutate({
      backend: backend as SandboxBackendState['name'],
      image: words.join(' '),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      profile,
      network,
      setupCommands: setup.split('\n').filter((line) => line.trim() !== ''),
      limits: { memoryMb: Number(memory), cpus: Number(cpus) },
      commandTimeoutSec: Number(timeout),
    })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      wide
      title="New sandbox"
      description="It starts at once, or waits in line when as many are running as are allowed."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" reason={reason} busy={create.isPending} onClick={submit}>
            Create and start
          </Button>
        </>
      }
    >
      <Field id={imageId} label="System" hint="What is in it at the start. host is this machine's own programs, read-only.">
        <Select id={imageId} value={image} options={images} onChange={setImage} className="w-72" />
      </Field>
      <TextRow label="Name" hint="Optional; otherwise the first characters of its id." value={name} onChange={setName} />
      <Field
        id={profileId}
        label="Profile"
        hint="Machine: you are root inside, and system folders can be written. Strict: an ordinary user, and only its own folders can be written."
      >
        <Select
          id={profileId}
          value={profile}
          onChange={setProfile}
          options={[
            { value: 'machine', label: 'Machine' },
            { value: 'strict', label: 'Strict' },
          ]}
        />
      </Field>
      <Field id={networkId} label="Network" hint="Open needs Docker: programs inside can then reach every address that this machine can.">
        <Select
          id={networkId}
          value={network}
          onChange={setNetwork}
          options={[
            { value: 'none', label: 'None' },
            { value: 'open', label: 'Open' },
          ]}
        />
      </Field>
      <LinesRow
        label="Set-up commands"
        hint="Run once at the start, in this order; the first that fails ends the start. One a line."
        value={setup}
        placeholder="echo hello > /tmp/hello.txt"
        onChange={setSetup}
      />
      <NumberRow
        label="Memory"
        hint="Megabytes, for all of its processes."
        error={numbers.memory}
        value={memory}
        placeholder="512"
        onChange={setMemory}
      />
      <NumberRow label="Processor" hint="Cores." error={numbers.cpus} value={cpus} placeholder="1" onChange={setCpus} />
      <NumberRow
        label="Time limit of a command"
        hint="Seconds. A command that takes longer is stopped; the shell stays."
        error={numbers.timeout}
        value={timeout}
        placeholder="120"
        onChange={setTimeout}
      />
    </Dialog>
  )
}

const problem = (text: string, least: number): string | undefined =>
  text.trim() !== '' && Number(text) >= least ? undefined : `Enter a number of at least ${least}.`
