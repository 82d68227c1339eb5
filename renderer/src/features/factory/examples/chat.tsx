import { useRef, useState } from 'react'
import type { ChatMessage, ExampleDetail, ToolSchema } from '#contracts/entities/example.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { plural } from '#renderer/ui/format.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import type { ExampleActions } from './actions.ts'
import { withoutMessage } from './edit.ts'
import { EditMessage } from './edit-message.tsx'
import { Message } from './message.tsx'

const ESTIMATE: Record<ChatMessage['role'], number> = { system: 90, user: 90, assistant: 140, tool: 220 }

/** The messages, below the collapsed tools. Keys move between messages while the focus is inside. */
export function Chat({ example, isOriginal, actions }: { example: ExampleDetail; isOriginal: boolean; actions: ExampleActions }) {
  const messages = isOriginal ? (example.original ?? example.messages) : example.messages
  const list = useRef<VirtualListHandle>(null)
  const [current, setCurrent] = useState<number | null>(null)
  const [editing, setEditing] = useState<number | null>(null)
  // positions of trims are valid for the source's messages only
  const trims = new Map((example.edited && !isOriginal ? [] : example.trims).map((trim) => [trim.message, trim]))
  const isHere = () => document.activeElement?.closest('[data-zone=chat]') != null
  const step = (direction: 1 | -1): boolean => {
    if (!isHere() || editing !== null) return false
    const next = Math.min(messages.length - 1, Math.max(0, (current ?? (direction > 0 ? -1 : messages.length)) + direction))
    setCurrent(next)
    list.current?.scrollToIndex(next)
    return true
  }
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    edit: () => {
      const at = current ?? messages.findIndex(({ role }) => role === 'user')
      if (isOriginal) toast.info('This is the original', 'Switch to the edited messages to change them.')
      else if (at >= 0) {
        setEditing(at)
        list.current?.scrollToIndex(at)
      }
    },
  })
  const replaceAt = (index: number) => (message: ChatMessage) =>
    actions.edit(
      example,
      example.messages.map((one, at) => (at === index ? message : one)),
      `Message ${index + 1} edited`,
    )
  const remove = (index: number) => {
    actions.edit(example, withoutMessage(example.messages, index), `Message ${index + 1} removed`).catch((error: unknown) => {
      const { message, hint } = describeError(error)
      toast.error("Couldn't remove the message", [message, hint].filter(Boolean).join(' '))
    })
  }
  return (
    <div data-zone="chat" className="flex min-h-0 flex-1 flex-col">
      <VirtualList
        ref={list}
        label="Messages"
        items={messages}
        estimate={(index) => ESTIMATE[messages[index]?.role ?? 'user']}
        measured
        overscan={4}
        keyOf={(_, index) => String(index)}
        header={<Tools tools={example.tools} />}
      >
        {(message, index) =>
          editing === index && !isOriginal ? (
            <EditMessage message={message} index={index} onSave={replaceAt(index)} onClose={() => setEditing(null)} />
          ) : (
            <Message
              message={message}
              index={index}
              total={messages.length}
              replacements={example.replacements}
              trim={trims.get(index) ?? null}
              current={index === current}
              onEdit={isOriginal ? null : () => setEditing(index)}
              onRemove={isOriginal || messages.length <= 2 ? null : () => remove(index)}
              onPress={() => setCurrent(index)}
            />
          )
        }
      </VirtualList>
    </div>
  )
}

function Tools({ tools }: { tools: readonly ToolSchema[] }) {
  if (tools.length === 0) return <p className="px-4 py-2 text-xs text-second">No tools: this example makes no calls.</p>
  return (
    <details className="border-b border-line px-4 py-1.5 text-sm">
      <summary className="min-h-6 text-xs text-second">
        {plural(tools.length, 'tool')} offered to the model: {tools.map((tool) => tool.function.name).join(', ')}
      </summary>
      <ul className="flex flex-col gap-1 py-2">
        {tools.map((tool) => (
          <li key={tool.function.name}>
            <details>
              <summary className="min-h-6 text-xs">
                <span className="font-mono">{tool.function.name}</span>{' '}
                <span className="text-second">{tool.function.description.split('\n', 1)[0]?.slice(0, 120)}</span>
              </summary>
              <CodeBlock
                text={JSON.stringify(tool.function.parameters, null, 2)}
                label={`Schema of ${tool.function.name}`}
                className="max-h-80"
              />
            </details>
          </li>
        ))}
      </ul>
    </details>
  )
}
