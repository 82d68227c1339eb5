import { useId, useState } from 'react'
import type { KnownTokenizer } from '#contracts/entities/preview.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { usePreviewChoice } from './choice.ts'
import { useTokenizers } from './queries.ts'

const ESTIMATE = 'estimate'
const FOLDER = 'folder'
const ORIGIN_WORDS: Record<KnownTokenizer['from'], string> = { setting: 'settings', 'hub-cache': 'Hub cache', models: 'your model' }

/** Chooses the tokenizer and the max length. Unusable tokenizers are listed with their problem. */
export function TokenizerChoice() {
  const { tokenizer, maxTokens } = usePreviewChoice()
  const tokenizers = useTokenizers()
  const items = tokenizers.data?.items ?? []
  const isListed = items.some(({ path }) => path === tokenizer)
  const [isTyping, setTyping] = useState(false)
  const [folder, setFolder] = useState(tokenizer ?? '')
  const [length, setLength] = useState(maxTokens === null ? '' : String(maxTokens))
  const id = useId()
  const isFolder = isTyping || (tokenizer !== null && !isListed && tokenizers.data !== undefined)
  const choose = (value: string) => {
    setTyping(value === FOLDER)
    if (value !== FOLDER) usePreviewChoice.setState({ tokenizer: value === ESTIMATE ? null : value })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <label htmlFor={`${id}-t`}>Tokenizer</label>
      <Select
        id={`${id}-t`}
        className="max-w-80"
        value={isFolder ? FOLDER : (tokenizer ?? ESTIMATE)}
        options={[
          { value: ESTIMATE, label: 'None (estimate)' },
          ...items.map(({ name, path, from, problem, hasTemplate }) => ({
            value: path,
            label: `${name} (${problem ?? (hasTemplate ? ORIGIN_WORDS[from] : `${ORIGIN_WORDS[from]}, no template`)})`,
          })),
          { value: FOLDER, label: 'Other folder …' },
        ]}
        onChange={choose}
      />
      {isFolder ? (
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            usePreviewChoice.setState({ tokenizer: folder.trim() || null })
          }}
        >
          <TextInput
            aria-label="Tokenizer folder"
            className="w-72 font-mono"
            value={folder}
            placeholder="/home/me/models/base"
            onChange={setFolder}
          />
          <Button type="submit">Use folder</Button>
        </form>
      ) : null}
      <label htmlFor={`${id}-l`}>Max length</label>
      <TextInput
        id={`${id}-l`}
        inputMode="numeric"
        className="w-24 text-right"
        value={length}
        placeholder="none"
        aria-invalid={length !== '' && lengthOf(length) === null}
        onChange={(text) => {
          setLength(text)
          if (text === '' || lengthOf(text) !== null) usePreviewChoice.setState({ maxTokens: lengthOf(text) })
        }}
      />
    </div>
  )
}

const lengthOf = (text: string): number | null => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : null)
