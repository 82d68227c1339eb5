/** Passes on what Claude Code asks (`--permission-prompt-tool stdio`, control requests `can_use_tool`), and the answers. */
import { z } from 'zod'
import type { AgentInput, AgentEvent } from '../driver.ts'
import { summaryOf } from '../call-summary.ts'

const PermissionRequest = z.object({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.object({
    subtype: z.literal('can_use_tool'),
    tool_name: z.string(),
    input: z.record(z.string(), z.unknown()),
    permission_suggestions: z.array(z.record(z.string(), z.unknown())).nullish(),
  }),
})
const Withdrawal = z.object({ type: z.literal('control_cancel_request'), request_id: z.string() })
const Questions = z.array(
  z.object({
    question: z.string(),
    options: z.array(z.object({ label: z.string(), description: z.string().nullish() })).default([]),
  }),
)

type Question = Extract<AgentEvent, { type: 'asks' }>['question']
type Answer = Extract<AgentInput, { type: 'answer' }>

/** A question, and how its answer is sent to the client. */
interface OpenQuestion {
  request: string
  question: Question
  /** Null if another question of the same request must be answered first. */
  answer: (answer: Answer) => Record<string, unknown> | null
}

interface Deps {
  /** Whether tools may be used without asking. */
  allowsAll: boolean
  emit: (event: AgentEvent) => void
  send: (message: object) => void
  now: () => number
}

/** Shows questions one at a time, in the order of their arrival. */
export function createQuestions({ allowsAll, emit, send, now }: Deps) {
  const open: OpenQuestion[] = []
  const respond = (request: string, response: object) =>
    send({ type: 'control_response', response: { subtype: 'success', request_id: request, response } })
  const show = () => {
    if (open[0]) emit({ type: 'asks', question: open[0].question })
    else emit({ type: 'working' })
  }
  const add = (...all: OpenQuestion[]) => {
    open.push(...all)
    if (open.length === all.length) show()
  }
  const at = () => new Date(now()).toISOString()

  const permission = ({ request_id: id, request }: z.infer<typeof PermissionRequest>): OpenQuestion => {
    const { tool_name: tool, input, permission_suggestions: suggested } = request
    const sessionRules = (suggested ?? []).map((rule) => ({ ...rule, destination: 'session' }))
    return {
      request: id,
      question: {
        id,
        kind: 'permission',
        title: `${tool}: ${summaryOf(input)}`.slice(0, 500),
        detail: JSON.stringify(input, null, 2),
        tool,
        choices: [
          { value: 'allow', label: 'Allow' },
          ...(sessionRules.length > 0 ? [{ value: 'always', label: 'Allow for this run' }] : []),
          { value: 'deny', label: 'Deny' },
        ],
        at: at(),
      },
      answer: ({ value, text }) =>
        value === 'allow' || value === 'always'
          ? { behavior: 'allow', updatedInput: input, ...(value === 'always' && { updatedPermissions: sessionRules }) }
          : { behavior: 'deny', message: text ?? 'The user does not allow this.' },
    }
  }
  /** The answers are sent back with the input, keyed by the text of the question. */
  const questions = (id: string, input: Record<string, unknown>): OpenQuestion[] => {
    const parsed = Questions.safeParse(input['questions']).data ?? []
    const answers = new Map<string, string>()
    return parsed.map(({ question, options }, index) => ({
      request: id,
      question: {
        id: `${id}-${index}`,
        kind: 'question',
        title: question.slice(0, 500),
        detail: options.map(({ label, description }) => (description ? `${label}: ${description}` : label)).join('\n') || null,
        tool: null,
        choices: options.map(({ label }) => ({ value: label, label })),
        at: at(),
      },
      answer({ value, text }) {
        answers.set(question, text ?? value)
        return index < parsed.length - 1 ? null : { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(answers) } }
      },
    }))
  }

  return {
    /** True if the line was a question or withdrew one. */
    take(line: unknown): boolean {
      const { data: permissionRequest } = PermissionRequest.safeParse(line)
      if (permissionRequest) {
        const { tool_name: tool, input } = permissionRequest.request
        const all = tool === 'AskUserQuestion' ? questions(permissionRequest.request_id, input) : []
        if (all.length > 0) add(...all)
        else if (allowsAll) respond(permissionRequest.request_id, { behavior: 'allow', updatedInput: input })
        else add(permission(permissionRequest))
        return true
      }
      const { data: withdrawal } = Withdrawal.safeParse(line)
      if (!withdrawal) return false
      const first = open[0]
      const remaining = open.filter(({ request }) => request !== withdrawal.request_id)
      open.splice(0, open.length, ...remaining)
      if (first && first !== open[0]) {
        emit({ type: 'answered', questionId: first.question.id })
        show()
      }
      return true
    },
    answer(answer: Answer): void {
      const [first] = open
      if (first?.question.id !== answer.questionId) return // the question has been withdrawn
      open.shift()
      emit({ type: 'answered', questionId: answer.questionId })
      const response = first.answer(answer)
      if (response) respond(first.request, response)
      show()
    },
  }
}
