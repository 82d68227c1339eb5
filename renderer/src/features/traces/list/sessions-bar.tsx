import { Factory, FlaskConical, GraduationCap, History, MessageSquareQuote, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Tier } from '#contracts/entities/common.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { plural } from '#renderer/ui/format.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { SETTABLE } from '../open/tier-control.tsx'

interface Props {
  count: number
  all: { isChosen: boolean; total: number; choose: () => void }
  onClear: () => void
  onTier: (tier: Tier) => void
  onUnset: () => void
  /** The panel that asks for a tag is open. */
  isTagging: boolean
  onTagging: (open: boolean) => void
  onTag: (tag: string, add: boolean) => void
  onCheck: () => void
  /** Looks up what happened after them. */
  onLookUp: () => void
  /** Has a model grade their answers. */
  onGrade: () => void
  onMakeExamples: () => void
  /** Runs their tasks again with an agent. */
  onRunAgain: () => void
  onTrain: () => void
}

/** Actions on all selected sessions; each can be undone in one step. */
export function SessionsBar({
  count,
  all,
  onClear,
  onTier,
  onUnset,
  isTagging,
  onTagging,
  onTag,
  onCheck,
  onLookUp,
  onGrade,
  onMakeExamples,
  onRunAgain,
  onTrain,
}: Props) {
  const offline = useOfflineReason()
  return (
    <BulkBar noun="sessions" count={count} all={all} clearKeys={keyOf('back')} onClear={onClear}>
      <div role="group" aria-label={`Set ${plural(count, 'session')} to`} className="ml-auto flex gap-1">
        {SETTABLE.map((tier) => (
          <Button key={tier} size="small" keys={keyOf(tier)} reason={offline} onClick={() => onTier(tier)}>
            <TierMark mark={tier} word />
          </Button>
        ))}
        <Button size="small" look="quiet" keys={keyOf('unset')} reason={offline} onClick={onUnset}>
          By policy
        </Button>
      </div>
      <TagPopover open={isTagging} onOpenChange={onTagging} onTag={onTag} reason={offline} />
      <Button size="small" look="quiet" icon={FlaskConical} reason={offline} onClick={onCheck}>
        Run checks
      </Button>
      <Button size="small" look="quiet" icon={History} reason={offline} onClick={onLookUp}>
        Afterwards
      </Button>
      <Button size="small" look="quiet" icon={MessageSquareQuote} onClick={onGrade}>
        Grade …
      </Button>
      <Button size="small" look="quiet" icon={Factory} onClick={onMakeExamples}>
        Make examples
      </Button>
      <Button size="small" look="quiet" icon={RotateCcw} onClick={onRunAgain}>
        Re-run with …
      </Button>
      <Button size="small" icon={GraduationCap} onClick={onTrain}>
        Train on this
      </Button>
    </BulkBar>
  )
}

function TagPopover({
  open,
  onOpenChange,
  onTag,
  reason,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  onTag: Props['onTag']
  reason: string | null
}) {
  const [tag, setTag] = useState('')
  const submit = (add: boolean) => {
    if (tag.trim() === '') return
    onTag(tag.trim(), add)
    setTag('')
    onOpenChange(false)
  }
  return (
    <Popover
      label="Tag selected sessions"
      align="end"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <Button size="small" look="quiet" keys={keyOf('tag')} reason={reason}>
          Tag
        </Button>
      }
    >
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit(true)
        }}
      >
        <TextInput value={tag} onChange={setTag} aria-label="Tag" placeholder="Tag" maxLength={60} />
        <div className="flex gap-2">
          <Button type="submit" size="small">
            Add
          </Button>
          <Button size="small" onClick={() => submit(false)}>
            Remove
          </Button>
        </div>
      </form>
    </Popover>
  )
}
