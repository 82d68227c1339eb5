import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { GuardrailSettings, type GuardTopic } from '#contracts/settings/guardrails.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'

const LISTS = [
  { name: 'blockedTopics', label: 'Blocked', hint: 'A text with one of the words is blocked.' },
  { name: 'allowedTopics', label: 'Allowed', hint: 'If there are any, a text with none of their words is warned about.' },
] as const

export const Topics = () => (
  <Section title="Topics" note="In texts that are checked as input or output, by whole words">
    {LISTS.map((list) => (
      <TopicList key={list.name} {...list} />
    ))}
  </Section>
)

function TopicList({ name, label, hint }: (typeof LISTS)[number]) {
  const { settings, offline, change } = useChange()
  const topics = settings.guardrails[name]
  const [draft, setDraft] = useState({ topic: '', words: '' })
  const id = useId()
  const set = (next: GuardTopic[]) => change(`${label} topics`, { guardrails: { [name]: next } })
  const words = draft.words
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  const isFilled = draft.topic.trim() !== '' && words.length > 0
  const read = GuardrailSettings.safeParse({ [name]: [...topics, { name: draft.topic, words }] })
  const refusal = isFilled ? (read.success ? null : read.error.issues[0]!.message) : 'Enter a topic and its words first.'
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">
        {label} <span className="font-normal text-second">{hint}</span>
      </h3>
      <ul className="flex flex-col gap-1 text-sm">
        {topics.map((topic) => (
          <li key={topic.name} className="flex items-center gap-2">
            <b>{topic.name}</b>
            <span className="min-w-0 flex-1 break-words text-second">{topic.words.join(', ')}</span>
            <IconButton
              size="small"
              icon={X}
              label={`Remove ${topic.name}`}
              reason={offline}
              onClick={() => set(topics.filter((other) => other !== topic))}
            />
          </li>
        ))}
      </ul>
      <form
        aria-label={`${label} topic`}
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!read.success || !isFilled || offline !== null) return
          set(read.data[name])
          setDraft({ topic: '', words: '' })
        }}
      >
        <label className="flex flex-col gap-1 text-xs text-second" htmlFor={`${id}-topic`}>
          Topic
          <TextInput id={`${id}-topic`} value={draft.topic} onChange={(topic) => setDraft({ ...draft, topic })} />
        </label>
        <label className="flex min-w-60 flex-1 flex-col gap-1 text-xs text-second" htmlFor={`${id}-words`}>
          Words, separated by commas
          <TextInput id={`${id}-words`} value={draft.words} onChange={(next) => setDraft({ ...draft, words: next })} />
        </label>
        <Button icon={Plus} type="submit" reason={offline ?? refusal}>
          Add
        </Button>
      </form>
      {isFilled && refusal !== null ? (
        <p role="alert" className="text-xs text-bad">
          {refusal}
        </p>
      ) : null}
    </div>
  )
}
