import type { Run } from '#contracts/entities/run.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { listSettings } from '../setting-list.ts'
import { PRESET_WORDS } from '../words.ts'

/** The settings at the start of the run. */
export function AsStarted({ run }: { run: Run }) {
  const config = {
    strategy: run.strategy,
    baseModel: run.baseModel,
    teacher: run.teacher,
    datasetId: run.datasetId,
    preset: run.preset,
    settings: run.settings,
  }
  return (
    <Section
      title="Settings at start"
      note={`Preset: ${PRESET_WORDS[run.preset].label}. Device: ${run.device ?? 'not yet known'}. Engine: ${run.engine}.${run.request.autoExportGguf ? ` Exports GGUF ${run.request.autoExportGguf} when it completes.` : ''}`}
    >
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-x-8 gap-y-0.5 text-sm">
        {listSettings(run.settings, run.strategy).map(({ path, label, value }) => (
          <div key={path} className="flex items-baseline justify-between gap-3 border-b border-line py-0.5">
            <dt className="shrink-0 text-second" title={path}>
              {label}
            </dt>
            <dd className="min-w-0 truncate text-right tabular-nums" title={value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary className="text-sm">Settings as JSON</summary>
        <CodeBlock label="settings as JSON" text={JSON.stringify(config, null, 2)} className="mt-2 max-h-80 overflow-hidden *:max-h-80" />
      </details>
    </Section>
  )
}
