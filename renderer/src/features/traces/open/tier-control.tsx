import { History, RotateCcw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Tier } from '#contracts/entities/common.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatInstant } from '#renderer/ui/format.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { useTraceActions } from '../actions.ts'
import { useDecisions } from '../queries.ts'

/** Tiers that a person sets, in the order of their keys. */
export const SETTABLE = ['gold', 'silver', 'bronze', 'failed'] as const satisfies readonly Tier[]

/** The tier and what to do about it: each button prints its key. */
export function TierControl({ trace, narrow }: { trace: Trace; narrow: boolean }) {
  const actions = useTraceActions()
  const offline = useOfflineReason()
  const [reason, setReason] = useState('')
  const set = (tier: Tier) => {
    void actions.setTier(trace, tier, reason.trim() || undefined)
    setReason('')
  }
  const reasonField = (
    <TextInput
      value={reason}
      onChange={setReason}
      aria-label="Reason for the next tier change"
      placeholder="Reason (optional)"
      maxLength={2000}
      className="w-36 min-w-0 flex-1 basis-28"
    />
  )
  const policyButton = (
    <Button
      look="quiet"
      keys={keyOf('unset')}
      reason={offline ?? (trace.tierSource === 'policy' ? 'The policy already decides.' : null)}
      onClick={() => void actions.unsetTier(trace)}
    >
      By policy
    </Button>
  )
  return (
    <div className="@container flex items-center gap-2">
      <div role="group" aria-label="Tier of this session" className="flex rounded border border-edge">
        {SETTABLE.map((tier) => (
          <Tooltip key={tier} text={offline ?? `Set to ${tier}`}>
            <button
              type="button"
              aria-pressed={trace.tier === tier}
              aria-disabled={offline !== null || undefined}
              onClick={() => offline === null && set(tier)}
              className={cn(
                'focus-inset flex h-8 items-center gap-1.5 border-r border-line px-2 text-sm first:rounded-l last:rounded-r last:border-r-0 hover:bg-raised',
                trace.tier === tier && 'bg-raised font-semibold',
              )}
            >
              <TierMark
                mark={tier}
                word
                own={trace.tier === tier && trace.tierSource === 'user'}
                unverified={trace.tier === tier && trace.unverified}
              />
              <span className="hidden @min-[430px]:inline-flex">
                <KeyHint keys={keyOf(tier)} />
              </span>
            </button>
          </Tooltip>
        ))}
      </div>
      {trace.tier === 'pending' ? <TierMark mark="pending" word /> : null}
      {narrow ? null : (
        <>
          {reasonField}
          {policyButton}
        </>
      )}
      <HistoryPopover trace={trace}>
        {narrow ? (
          <div className="flex items-center gap-2 border-b border-line pb-2">
            {reasonField}
            {policyButton}
          </div>
        ) : null}
      </HistoryPopover>
    </div>
  )
}

/** The history of decisions, and in a narrow window the actions that do not fit next to it. */
function HistoryPopover({ trace, children }: { trace: Trace; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const decisions = useDecisions(trace.id, open)
  const actions = useTraceActions()
  const canUndo = decisions.data?.items.some(({ undoneAt }) => undoneAt === null) ?? false
  return (
    <Popover
      label="Tier history"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={<IconButton icon={History} label="Tier history" />}
    >
      <div className="flex flex-col gap-2">
        {children}
        <h3 className="text-sm font-semibold">Tier history</h3>
        {decisions.error ? (
          <p role="alert" className="text-bad">
            {describeError(decisions.error).message}
          </p>
        ) : null}
        {decisions.data?.items.length === 0 ? <p className="text-second">No manual decisions. The policy sets the tier.</p> : null}
        <ol className="flex flex-col gap-2 empty:hidden">
          {decisions.data?.items.map((decision) => (
            <li key={decision.id} className={cn('border-b border-line pb-2 last:border-b-0', decision.undoneAt && 'text-second')}>
              <p className="flex flex-wrap items-center gap-1.5">
                <TierMark mark={decision.from} word />
                <span aria-hidden>→</span>
                <span className="sr-only">to</span>
                {decision.tier === null ? 'by policy' : <TierMark mark={decision.tier} word />}
                {decision.bulkId ? <span className="text-xs text-second">in bulk</span> : null}
                {decision.undoneAt ? <span className="text-xs">undone {formatInstant(decision.undoneAt)}</span> : null}
              </p>
              <p className="text-xs text-second">
                {decision.who}, {formatInstant(decision.when)}
              </p>
              {decision.why ? <p className="text-sm break-words">{decision.why}</p> : null}
            </li>
          ))}
        </ol>
        {canUndo ? (
          <Button size="small" icon={RotateCcw} onClick={() => void actions.undoDecision(trace)} className="self-start">
            Undo latest
          </Button>
        ) : null}
      </div>
    </Popover>
  )
}
