import { FolderOpen, Save } from 'lucide-react'
import { useEffect, useState } from 'react'
import { RunRequest, type RunPlan } from '#contracts/entities/run.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { FieldError, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { useSavePreset } from '../queries.ts'
import { shellWords } from './draft.ts'

/** Reads a configuration as YAML or JSON (which is YAML too). Throws an error that names the field. */
export async function readConfig(text: string): Promise<Partial<RunRequest>> {
  const { parse } = await import('yaml')
  const parsed: unknown = parse(text)
  const read = RunRequest.partial().strict().safeParse(parsed)
  if (read.success) return withoutDefaults(read.data, parsed as object)
  const issue = read.error.issues[0]!
  throw new Error(`${issue.path.map(String).join('.') || 'The text'}: ${plainWords(issue)}`)
}

/** Only what the text contains, without the contract's defaults. */
const withoutDefaults = (request: Partial<RunRequest>, parsed: object): Partial<RunRequest> =>
  Object.fromEntries(Object.entries(request).filter(([name]) => Object.hasOwn(parsed, name)))

const KINDS = [
  { value: 'yaml', label: 'This form as YAML' },
  { value: 'json', label: 'This form as JSON' },
  { value: 'trainer', label: 'Trainer configuration' },
  { value: 'command', label: 'Command' },
] as const
type Kind = (typeof KINDS)[number]['value']

/** The form as text to copy, load or save, and the command that would run. */
export function Config({
  request,
  plan,
  onLoad,
}: {
  request: RunRequest | null
  plan: RunPlan | null
  onLoad: (request: Partial<RunRequest>) => void
}) {
  const [kind, setKind] = useState<Kind>('yaml')
  const [open, setOpen] = useState<'load' | 'save' | null>(null)
  const text = useText(kind, request, plan)
  return (
    <details className="rounded border border-line px-3 py-2">
      <summary className="text-sm font-semibold">Configuration and command</summary>
      <div className="flex flex-col gap-3 pt-3">
        <div className="flex flex-wrap items-center gap-2">
          <Select label="Show" className="w-56" value={kind} options={KINDS} onChange={setKind} />
          <Button icon={FolderOpen} onClick={() => setOpen('load')}>
            Load configuration …
          </Button>
          <Button icon={Save} reason={request ? null : 'The form is not complete.'} onClick={() => setOpen('save')}>
            Save as preset …
          </Button>
        </div>
        {text === null ? (
          <p className="text-sm text-second">Complete the form to see it.</p>
        ) : (
          <CodeBlock
            label={KINDS.find(({ value }) => value === kind)?.label ?? ''}
            text={text}
            wrap={kind === 'command'}
            className="max-h-80 overflow-hidden *:max-h-80"
          />
        )}
      </div>
      <LoadDialog open={open === 'load'} onClose={() => setOpen(null)} onLoad={onLoad} />
      {request ? <SaveDialog open={open === 'save'} onClose={() => setOpen(null)} request={request} /> : null}
    </details>
  )
}

function useText(kind: Kind, request: RunRequest | null, plan: RunPlan | null): string | null {
  const [yaml, setYaml] = useState<string | null>(null)
  useEffect(() => {
    if (kind !== 'yaml' || !request) return undefined
    let isCurrent = true
    void import('yaml').then(({ stringify }) => isCurrent && setYaml(stringify(request)))
    return () => {
      isCurrent = false
    }
  }, [kind, request])
  if (kind === 'yaml') return request && yaml
  if (kind === 'json') return request && JSON.stringify(request, null, 2)
  if (!plan) return null
  return kind === 'trainer' ? JSON.stringify(plan.config, null, 2) : shellWords(plan.command)
}

function LoadDialog({ open, onClose, onLoad }: { open: boolean; onClose: () => void; onLoad: (request: Partial<RunRequest>) => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const load = () =>
    readConfig(text).then(
      (request) => {
        onLoad(request)
        setText('')
        setError(null)
        return onClose()
      },
      (cause: Error) => setError(cause.message),
    )
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Load a configuration"
      description="YAML or JSON. It fills in the form; settings it does not contain stay as they are."
      footer={
        <Button look="primary" reason={text.trim() === '' ? 'Paste a configuration or choose a file.' : null} onClick={() => void load()}>
          Load configuration
        </Button>
      }
    >
      <div className="flex flex-col gap-2 pt-2">
        <input
          type="file"
          aria-label="Configuration file"
          accept=".json,.yaml,.yml"
          className="text-sm"
          onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
        />
        <TextArea aria-label="Configuration" rows={12} className="w-full font-mono text-xs!" value={text} onChange={setText} />
        <FieldError error={error} />
      </div>
    </Dialog>
  )
}

function SaveDialog({ open, onClose, request }: { open: boolean; onClose: () => void; request: RunRequest }) {
  const [name, setName] = useState('')
  const { save } = useSavePreset()
  const { name: _name, fromRun: _from, ...presetRequest } = request
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Save as preset"
      description="Saves everything in this form except the run name. A preset with the same name is replaced."
      footer={
        <Button
          look="primary"
          busy={save.isPending}
          reason={name.trim() === '' ? 'Enter a name.' : null}
          onClick={() => save.mutate({ name: name.trim(), request: presetRequest }, { onSuccess: onClose })}
        >
          Save preset
        </Button>
      }
    >
      <TextInput
        aria-label="Preset name"
        placeholder="Preset name"
        className="mt-2 w-full"
        value={name}
        maxLength={80}
        onChange={setName}
      />
    </Dialog>
  )
}
