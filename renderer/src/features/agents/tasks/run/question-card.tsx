import { MessageCircleQuestion } from 'lucide-react'
import { useId, useState } from 'react'
import type { TaskQuestion } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useTaskActions } from '#renderer/api/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

export function QuestionCard({ id, question }: { id: string; question: TaskQuestion }) {
  const [text, setText] = useState('')
  const fieldId = useId()
  const offline = useOfflineReason()
  const { answer } = useTaskActions(id)
  const more = text.trim()
  const give = (value: string) =>
    answer.mutate({ questionId: question.id, value, ...(more !== '' && question.choices.length > 0 && { text: more }) })
  return (
    <section aria-label="Question of the agent" className="m-3 flex flex-col gap-2 rounded border border-warn bg-panel p-3 text-sm">
      <h2 className="flex items-start gap-2 font-semibold">
        <MessageCircleQuestion size={16} aria-hidden className="mt-px shrink-0 text-warn" />
        <span className="min-w-0 break-words">
          <Visible text={question.title} />
        </span>
      </h2>
      {question.detail === null ? null : (
        <ScrollRegion
          label="Details of the question"
          className="max-h-40 overflow-auto rounded-sm border border-line bg-bg p-2 font-mono text-xs break-words whitespace-pre-wrap"
        >
          <Visible text={question.detail} />
        </ScrollRegion>
      )}
      <label htmlFor={fieldId} className="text-xs text-second">
        {question.choices.length > 0 ? 'Add a word (optional)' : 'Answer'}
      </label>
      <TextArea id={fieldId} rows={question.choices.length > 0 ? 1 : 3} value={text} onChange={setText} />
      <div className="flex flex-wrap gap-2">
        {question.choices.map(({ value, label }, index) => (
          <Button key={value} look={index === 0 ? 'primary' : 'plain'} reason={offline} busy={answer.isPending} onClick={() => give(value)}>
            {label}
          </Button>
        ))}
        {question.choices.length === 0 ? (
          <Button
            look="primary"
            reason={offline ?? (more === '' ? 'Write an answer first.' : null)}
            busy={answer.isPending}
            onClick={() => give(more)}
          >
            Answer
          </Button>
        ) : null}
      </div>
    </section>
  )
}
