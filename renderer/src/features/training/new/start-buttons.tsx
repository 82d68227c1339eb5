import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import type { Draft } from './draft.ts'
import { DryRunResult, useDryRun } from './dry-run.tsx'
import type { useStart } from './use-start.ts'

/** Dry run and start, with their results. */
export function StartButtons({
  start: { request, runPlan, reason, dryRunReason, label, isPending, runError, runsError, begin },
  draft,
  set,
}: {
  start: ReturnType<typeof useStart>
  draft: Draft
  set: (part: Partial<Draft>) => void
}) {
  const dryRun = useDryRun()
  const { plan } = runPlan
  const freeBytes = plan?.device.freeBytes ?? null
  const isShort = plan?.memory && freeBytes !== null && plan.memory.total > freeBytes
  return (
    <>
      <DryRunResult dryRun={dryRun} steps={plan?.steps ?? null} />
      {runError ? <ErrorState title="Couldn't start the run" error={runError} /> : null}
      {runsError ? <ErrorState title="Couldn't start the runs" error={runsError} /> : null}
      {isShort || draft.overrideMemory ? (
        <span className="flex items-center gap-1 text-sm">
          <Checkbox
            id="override-memory"
            label="Start even if it may not fit"
            checked={draft.overrideMemory}
            onChange={(overrideMemory) => set({ overrideMemory })}
          />
          Start even if it may not fit
        </span>
      ) : null}
      <span className="flex items-center gap-1 text-sm">
        <Checkbox
          id="export-gguf"
          label="Export as GGUF when the run completes"
          checked={draft.exportsGguf}
          onChange={(exportsGguf) => set({ exportsGguf })}
        />
        Export as GGUF (q4_k_m) when the run completes
      </span>
      <div className="flex gap-2">
        <Button className="flex-1" reason={dryRunReason} busy={dryRun.busy} onClick={() => request && dryRun.start(request)}>
          Dry run
        </Button>
        <Button look="primary" className="flex-1" keys={keyOf('submit')} reason={reason} busy={isPending} onClick={begin}>
          {label}
        </Button>
      </div>
    </>
  )
}
