import { useId, useState } from 'react'
import type { Model, ModelFormat, Quantization } from '#contracts/entities/model.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { printKey } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { useOtherModels } from '../queries.ts'
import { EXPORTS, FORMAT_WORDS, isQuantized, QUANTIZATION_WORDS } from '../words.ts'
import { estimatedSize, knownSize } from './export-sizes.ts'
import type { ExportWork } from './use-export.ts'

const SMALLEST_FIRST: readonly Quantization[] = ['q4_k_m', 'q5_k_m', 'q8_0', 'f16']

/** Chooses the format, the quantization and whether to compare the export with the model. Sizes that were not measured are estimates. */
export function ExportDialog({ model, work, onClose }: { model: Model; work: ExportWork; onClose: () => void }) {
  const id = useId()
  const offline = useOfflineReason()
  const others = useOtherModels()
  const [format, setFormat] = useState<ModelFormat>('gguf')
  const [quantization, setQuantization] = useState<Quantization>('q4_k_m')
  const [parity, setParity] = useState(true)
  const start = () => {
    if (offline === null && work.running === null) work.start({ format, quantization, parity })
  }
  useKeys({ submit: start }, { inDialog: true })
  const sizeOf = (one: Quantization | null) => sizeWord(knownSize(model, others, one), estimatedSize(model, one))
  return (
    <FormDialog
      wide
      title={`Export ${model.name}`}
      description="Made from the trained weights and stored next to them. It continues when this window is closed."
      action="Export"
      close="Close"
      keys={printKey('mod+Enter')}
      reason={offline ?? (work.running ? 'Another export is in progress.' : null)}
      busy={work.busy && work.running === null}
      onSubmit={start}
      onClose={onClose}
    >
      <fieldset className="mt-3">
        <legend className="mb-1 text-sm font-semibold">Format</legend>
        {EXPORTS.map((one) => (
          <Choice
            key={one}
            name={`${id}-f`}
            checked={one === format}
            onChoose={() => setFormat(one)}
            {...FORMAT_WORDS[one]}
            size={one === 'merged' ? sizeOf(null) : null}
          />
        ))}
      </fieldset>
      {isQuantized(format) ? (
        <fieldset className="mt-4">
          <legend className="mb-1 text-sm font-semibold">Bits per weight</legend>
          {SMALLEST_FIRST.map((one) => (
            <Choice
              key={one}
              name={`${id}-q`}
              checked={one === quantization}
              onChoose={() => setQuantization(one)}
              {...QUANTIZATION_WORDS[one]}
              size={sizeOf(one)}
            />
          ))}
        </fieldset>
      ) : null}
      <div className="pt-2">
        <SwitchRow
          label="Compare its answers"
          hint="Afterwards, the trained model and the export both answer up to 20 held-out prompts with greedy decoding. This needs held-out rows in the data set."
          checked={parity}
          onChange={setParity}
        />
      </div>
      <Outcome work={work} />
    </FormDialog>
  )
}

function sizeWord(size: ReturnType<typeof knownSize>, estimate: number | null): string {
  if (size === null) return estimate === null ? 'size not known' : `about ${formatBytes(estimate)}, an estimate`
  return size.isOwn ? `${formatBytes(size.bytes)}, replaces the existing export` : `${formatBytes(size.bytes)}, as of ${size.of}`
}

const Choice = ({
  name,
  checked,
  label,
  meaning,
  size,
  onChoose,
}: {
  name: string
  checked: boolean
  label: string
  meaning: string
  size: string | null
  onChoose: () => void
}) => (
  <label
    className={cn(
      'mb-1 flex min-h-8 cursor-pointer items-center gap-3 rounded border px-2 py-1 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
      checked ? 'border-accent bg-accent/8' : 'border-line hover:bg-raised',
    )}
  >
    <input type="radio" name={name} checked={checked} onChange={onChoose} className="size-4 shrink-0 accent-(--accent) outline-none" />
    <span className="w-28 shrink-0 font-semibold">{label}</span>
    <span className="min-w-0 flex-1 text-xs text-second">{meaning}</span>
    {size === null ? null : <span className="shrink-0 text-xs text-second">{size}</span>}
  </label>
)

/** Progress of the export, or why it failed. The finished file is listed in the table of artifacts. */
export const Outcome = ({ work }: { work: ExportWork }) => (
  <div className="pt-3 empty:hidden">
    <JobState name="Export" work={work} failed="The export failed" stopped="Stopped. Partial files were removed." />
  </div>
)
