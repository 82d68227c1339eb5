import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { usePatchRun } from '../queries.ts'

/** Tags and note of a run, on one line unless the note is being edited. */
export function Annotations({ run }: { run: Run }) {
  const patch = usePatchRun()
  const offline = useOfflineReason()
  const [tag, setTag] = useState('')
  const [note, setNote] = useState<string | null>(null)
  const addTag = () => {
    const word = tag.trim()
    setTag('')
    if (word !== '' && !run.tags.includes(word)) patch.mutate({ id: run.id, addTags: [word] })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      <ul aria-label="Tags" className="flex flex-wrap items-center gap-1 empty:hidden">
        {run.tags.map((one) => (
          <li key={one} className="flex h-6 items-center rounded-sm border border-line pl-1.5">
            {one}
            <button
              type="button"
              aria-label={`Remove tag ${one}`}
              className="focus-inset flex size-6 items-center justify-center text-second hover:text-text"
              onClick={() => offline === null && patch.mutate({ id: run.id, removeTags: [one] })}
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <TextInput
        aria-label="Add tag"
        placeholder="Add tag"
        className="h-6! w-24 text-xs!"
        maxLength={40}
        value={tag}
        onChange={setTag}
        onBlur={addTag}
        onKeyDown={(event) => event.key === 'Enter' && addTag()}
      />
      {note === null ? (
        <>
          {run.note === null ? null : (
            <p className="max-w-[80ch] min-w-0 truncate text-second" title={run.note}>
              {run.note}
            </p>
          )}
          <Button size="small" look="quiet" icon={Pencil} reason={offline} onClick={() => setNote(run.note ?? '')}>
            {run.note === null ? 'Add note' : 'Edit note'}
          </Button>
        </>
      ) : (
        <form
          className="flex min-w-72 flex-1 items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            patch.mutate({ id: run.id, note: note.trim() === '' ? null : note }, { onSuccess: () => setNote(null) })
          }}
        >
          <TextArea aria-label="Note" rows={2} maxLength={10_000} className="min-h-12! flex-1 text-xs!" value={note} onChange={setNote} />
          <Button size="small" type="submit" busy={patch.isPending}>
            Save note
          </Button>
          <Button size="small" look="quiet" onClick={() => setNote(null)}>
            Cancel
          </Button>
        </form>
      )}
    </div>
  )
}
