import type { Generated, GenerateRequest, RouteDecision, RouteRequest } from '#contracts/entities/routing.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { TaskEndpoint } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { type ChatRequest, type Completion, ProviderError } from '#server/adapters/llm/index.ts'
import { CLIENT_ENDED, type Passed } from '#server/adapters/llm-proxy/index.ts'
import { NoAnswer, type TaskModels } from '../../agents/index.ts'
import type { RouteChoice } from '../proxy/conversations.ts'
import type { createDecisions } from '../proxy/store.ts'
import { askFor, failureOf, type StudentAnswerDeps, withinContext } from '../proxy/student-answer.ts'
import type { ChosenStudent } from '../student.ts'

export interface GenerateDeps extends Pick<StudentAnswerDeps, 'readCalls' | 'contextOf' | 'patienceMs'> {
  now: () => number
  decide: (request: RouteRequest) => RouteDecision
  chosen: () => ChosenStudent | null
  endpoints: Pick<TaskModels, 'find' | 'open'>
  /** The provider that the user chose for other work, if Anthropic is not set up. */
  otherTeacher: () => ProviderId
  decisions: Pick<ReturnType<typeof createDecisions>, 'add'>
  decided: (decision: RouteDecision) => void
}

type Provider = Extract<TaskEndpoint, { kind: 'provider' }>
type Answer = Pick<Completion, 'text' | 'usage'> & { model: string }

const MAX_TOKENS = 4096
const PATH = '/api/router/generate'

/** Answers a prompt as the proxy would answer a job: by the student as far as the proof goes, otherwise by a provider of the user. */
export function createGenerate(deps: GenerateDeps) {
  /** Throws `provider_unavailable`. */
  function teacher(): { endpoint: Provider; model: string } {
    const found = [...new Set<ProviderId>(['anthropic', deps.otherTeacher()])].map((provider) => {
      const endpoint: Provider = { kind: 'provider', provider }
      return { endpoint, ...deps.endpoints.find(endpoint, undefined) }
    })
    const ready = found.find(({ missing }) => missing === null)
    if (!ready) {
      const reasons = found.flatMap(({ missing }) => missing?.message ?? []).join(' ')
      throw new AppError('provider_unavailable', { message: `There is no teacher that could answer. ${reasons}` })
    }
    return { endpoint: ready.endpoint, model: ready.model! } // a provider that is set up has a model
  }
  async function fromTeacher(request: Omit<ChatRequest, 'model'>, passed: Passed, signal: AbortSignal): Promise<Answer> {
    const { endpoint, model } = teacher()
    passed.model = model
    const opened = await deps.endpoints.open(endpoint, undefined, signal)
    try {
      const { text, usage } = await opened.ask({ ...request, model }, signal)
      return { text, usage, model }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      passed.status = error.status
      throw new AppError('teacher_failed', { message: error.message, hint: error.hint })
    } finally {
      await opened.close()
    }
  }
  async function fromStudent(request: Omit<ChatRequest, 'model'>, student: ChosenStudent, signal: AbortSignal): Promise<Answer> {
    const { text, calls, usage } = await askFor(deps, { student, signal }, request, deps.patienceMs.withTeacher)
    if (calls.length > 0) throw new NoAnswer(`${student.label} called a tool, and there are none here.`)
    return { text, usage, model: student.name }
  }

  return async ({ prompt, system }: GenerateRequest, signal: AbortSignal): Promise<Generated> => {
    const decided = deps.decide({ prompt })
    const request = {
      ...(system === undefined ? {} : { system }),
      messages: [{ role: 'user' as const, content: prompt }],
      maxTokens: MAX_TOKENS,
    }
    const startedAt = performance.now()
    const passed: Passed = {
      at: deps.now(),
      path: PATH,
      session: null,
      agent: null,
      model: null,
      status: null,
      firstByteMs: null,
      ms: 0,
      usage: null,
      asksForCheck: null,
      error: null,
    }
    const student = decided.selectedModel === 'student' ? deps.chosen() : null
    let choice: RouteChoice = {
      to: decided.selectedModel,
      cause: 'strategy',
      reason: decided.reason,
      strategy: decided.strategy,
      student: decided.selectedModel === 'student' ? decided.student : null,
      confidence: decided.confidence,
      complexity: decided.taskComplexity,
      isAsked: false,
      fallback: false,
    }
    /** What the same tokens are compared with: the model that would have answered. */
    const compared = (): string | null => {
      try {
        return teacher().model
      } catch {
        return null
      }
    }
    const write = (): RouteDecision => {
      passed.ms = performance.now() - startedAt
      const decision = deps.decisions.add(passed, choice, choice.to === 'student' ? compared() : null)
      deps.decided(decision)
      return decision
    }
    const answer = async (): Promise<Answer> => {
      if (student) {
        try {
          const fitting = withinContext(request, student, deps.contextOf(student))
          choice.isAsked = true
          return await fromStudent(fitting, student, signal)
        } catch (error) {
          if (signal.aborted) throw error
          const reason = `The student did not answer: ${failureOf(error, deps.patienceMs.withTeacher)}`
          choice = { ...choice, to: 'teacher', fallback: true, reason }
        }
      }
      return fromTeacher(request, passed, signal)
    }
    try {
      const { text, usage, model } = await answer()
      Object.assign(passed, { status: 200, model, usage })
      return { text, model, decision: write(), usage }
    } catch (error) {
      passed.error = signal.aborted ? CLIENT_ENDED : (error as Error).message
      write()
      throw error
    }
  }
}
