import { useId, useState } from 'react'
import { MAX_TAGS } from '#contracts/entities/common.ts'
import type { Model } from '#contracts/entities/model.ts'
import { printKey } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { usePatchModel } from '../queries.ts'
import { changesOf } from './changes.ts'

/** Reads comma-separated tags and removes duplicates. */
const tagsOf = (text: string): string[] =>
  [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ].slice(0, MAX_TAGS)

/** Edits the name, tags, description and note of a model. */
export function EditDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const id = useId()
  const patch = usePatchModel()
  const [before] = useState(model)
  const [name, setName] = useState(model.name)
  const [tags, setTags] = useState(model.tags.join(', '))
  const [description, setDescription] = useState(model.description ?? '')
  const [note, setNote] = useState(model.note ?? '')
  const isNameless = name.trim() === ''
  const tooLong = tagsOf(tags).find((tag) => tag.length > 40)
  const reason = isNameless ? 'Enter a name.' : tooLong ? `The tag "${tooLong.slice(0, 20)}…" has more than 40 characters.` : null
  const save = () => {
    if (reason !== null) return
    const now = { name: name.trim(), tags: tagsOf(tags), description: description.trim() || null, note: note.trim() || null }
    patch.mutate({ id: model.id, ...changesOf(before, now) }, { onSuccess: onClose })
  }
  useKeys({ submit: save }, { inDialog: true })
  return (
    <FormDialog
      title="Rename and describe"
      description="The description appears in the model card; the note is only for you."
      action="Save"
      keys={printKey('mod+Enter')}
      reason={reason}
      busy={patch.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 pt-3 text-sm">
        <label htmlFor={`${id}-n`} className="flex flex-col gap-1">
          Name
          <TextInput id={`${id}-n`} value={name} maxLength={120} onChange={setName} />
        </label>
        <label htmlFor={`${id}-t`} className="flex flex-col gap-1">
          Tags, comma-separated
          <TextInput id={`${id}-t`} value={tags} onChange={setTags} />
        </label>
        <label htmlFor={`${id}-d`} className="flex flex-col gap-1">
          Description
          <TextArea id={`${id}-d`} value={description} maxLength={10_000} onChange={setDescription} />
        </label>
        <label htmlFor={`${id}-o`} className="flex flex-col gap-1">
          Note
          <TextArea id={`${id}-o`} value={note} maxLength={10_000} onChange={setNote} />
        </label>
      </div>
    </FormDialog>
  )
}
