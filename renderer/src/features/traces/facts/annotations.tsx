import { X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { create } from 'zustand'
import { MAX_TAGS } from '#contracts/entities/common.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf, printKey } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { useTraceActions } from '../actions.ts'
import { NO_FILTER, useFacets } from '../queries.ts'
import { Section } from './section.tsx'

/** Whether tags or note are being edited; the keys `t` and `n` open them from anywhere on the screen. */
export const useEditing = create<{ what: 'tags' | 'note' | null }>(() => ({ what: null }))
export const setEditing = (what: 'tags' | 'note' | null) => useEditing.setState({ what })

/** What the user says about a session; never touched by scoring or rebuild. */
export function Annotations({ trace }: { trace: Trace }) {
  return (
    <Section title="Tags and note">
      <Tags trace={trace} />
      <Note key={trace.id} trace={trace} />
    </Section>
  )
}

function Tags({ trace }: { trace: Trace }) {
  const editing = useEditing((state) => state.what === 'tags')
  const actions = useTraceActions()
  const offline = useOfflineReason()
  const facets = useFacets(NO_FILTER)
  const [text, setText] = useState('')
  const list = useId()
  const add = () => {
    const tag = text.trim()
    setText('')
    if (tag === '' || trace.tags.includes(tag) || trace.tags.length >= MAX_TAGS) return
    void actions.changeTag(trace, tag, true)
  }
  const last = trace.tags.at(-1)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      setText('')
      setEditing(null)
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
      void actions.changeTag(trace, last, false)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {trace.tags.map((tag) => (
        <span key={tag} className="inline-flex h-6 items-center rounded-sm border border-line pl-1.5 text-xs">
          <span className="max-w-40 truncate">{tag}</span>
          <button
            type="button"
            aria-label={`Remove tag ${tag}`}
            onClick={() => void actions.changeTag(trace, tag, false)}
            className="focus-inset flex size-6 items-center justify-center text-second hover:text-text"
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {editing ? (
        <>
          <TextInput
            value={text}
            onChange={setText}
            onKeyDown={onKeyDown}
            onBlur={() => {
              add()
              setEditing(null)
            }}
            list={list}
            maxLength={60}
            aria-label="New tag"
            placeholder="Type a tag, press Enter"
            className="h-7! w-32"
            // the user opened it to type
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <datalist id={list}>
            {facets.data?.tag.map(({ value }) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </datalist>
        </>
      ) : (
        <Button size="small" look="quiet" keys={keyOf('tag')} reason={offline} onClick={() => setEditing('tags')}>
          Add tag
        </Button>
      )}
    </div>
  )
}

function Note({ trace }: { trace: Trace }) {
  const editing = useEditing((state) => state.what === 'note')
  const actions = useTraceActions()
  const offline = useOfflineReason()
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? trace.note ?? ''
  const close = () => {
    setDraft(null)
    setEditing(null)
  }
  const save = () => {
    const note = text.trim() === '' ? null : text.trim()
    if (note !== trace.note) void actions.setNote(trace, note)
    close()
  }
  if (!editing) {
    return (
      <div className="flex flex-col items-start gap-1">
        {trace.note ? <p className="min-w-0 text-sm wrap-anywhere whitespace-pre-wrap">{trace.note}</p> : null}
        <Button size="small" look="quiet" keys={keyOf('note')} reason={offline} onClick={() => setEditing('note')}>
          {trace.note ? 'Edit note' : 'Add note'}
        </Button>
      </div>
    )
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextArea
        value={text}
        onChange={setDraft}
        aria-label="Note"
        maxLength={20_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- as above
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            close()
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            save()
          }
        }}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" size="small">
          Save <KeyHint keys={printKey('mod+Enter')} />
        </Button>
        <Button size="small" look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
