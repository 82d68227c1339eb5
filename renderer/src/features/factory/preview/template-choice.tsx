import { useState } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { usePreviewChoice } from './choice.ts'

/** Overrides the model's chat template, as a training run can. */
export function TemplateChoice() {
  const { template } = usePreviewChoice()
  const [text, setText] = useState(template ?? '')
  const choose = (value: string) => {
    setText(value)
    usePreviewChoice.setState({ template: value.trim() || null })
  }
  return (
    <details className="text-sm" open={template !== null}>
      <summary>Chat template: {template === null ? 'the model’s own' : 'chosen here'}</summary>
      <div className="flex flex-col items-start gap-2 pt-2">
        <input
          type="file"
          aria-label="Chat template from a file"
          accept=".jinja,.jinja2,.txt"
          className="min-h-6"
          onChange={(event) => void event.target.files?.[0]?.text().then(choose)}
        />
        <TextArea
          aria-label="Chat template"
          rows={6}
          className="w-full max-w-2xl font-mono text-xs!"
          value={text}
          placeholder="Jinja, in place of the model’s own"
          onChange={setText}
        />
        <div className="flex gap-2">
          <Button reason={text.trim() === '' ? 'Enter a template first' : null} onClick={() => choose(text)}>
            Use this template
          </Button>
          <Button reason={template === null ? 'It is used already' : null} onClick={() => choose('')}>
            Use the model’s own
          </Button>
        </div>
      </div>
    </details>
  )
}
