import fs from 'node:fs'
import path from 'node:path'
import type { Client } from '#contracts/derive/client.ts'
import type { Exam, ExamRun } from '#contracts/entities/exam.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { type Received, type Reply, startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { bash, transcriptOf } from '../../factory/testing-session.ts'

export const CALLS = 8
export const commandOf = (session: number, call: number) => `npm run step-${session}-${call}`
export const sessionId = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
const WORDS = 'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge'.split(' ')

/** The prompt of a session, of 13 words and more. */
export const promptOf = (session: number) =>
  `Session ${session}: mend the ${WORDS[session % 12]} ${WORDS[(session * 5 + 3) % 12]} page number ${session} of the shop, so that every order of customer ${session * 7} is shown once`

export const writeSession = (folder: string, session: number, prompt = promptOf(session), id = sessionId(session)) =>
  fs.writeFileSync(
    path.join(folder, `${id}.jsonl`),
    transcriptOf(
      id,
      prompt,
      Array.from({ length: CALLS }, (_, call) =>
        bash(commandOf(session, call), `${WORDS[(session + call) % 12]} ${session * 31 + call} done`),
      ),
    ),
  )

/** How many of ten calls each scripted model gets right. */
const RIGHT: Readonly<Record<string, number>> = { base: 5, better: 6, worse: 4, alike: 5 }

export const toolCall = (command: string, finish = 'tool_calls'): Reply => ({
  raw: JSON.stringify({
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'Bash', arguments: JSON.stringify({ command, description: 'x' }) } },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  }),
})
const otherTool: Reply = {
  raw: JSON.stringify({
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  }),
}

/** Session and call that a request asks for. */
export function askedFor({ body }: Received): { session: number; call: number } {
  const prompt = body.messages.find(({ role }) => role === 'user')!.content
  return { session: Number(/Session (\d+)/.exec(prompt)![1]), call: body.messages.filter(({ role }) => role === 'tool').length }
}

/** The answer of a scripted model, which knows the recorded calls. */
export function scripted(request: Received): Reply {
  const { session, call } = askedFor(request)
  return (session * CALLS + call) % 10 < RIGHT[request.body.model]! ? toolCall(commandOf(session, call)) : otherTool
}

export const startScripted = (reply: (request: Received) => Reply = scripted): Promise<Stub> => startStub(reply)

export const endpoint = (stub: Pick<Stub, 'url'>, model: string) => ({ kind: 'url' as const, baseUrl: stub.url, model })

/** Imports sessions `from` up to `to`, and returns their ids. */
export async function importSessions(client: Client<Routes>, folder: string, from: number, to: number): Promise<string[]> {
  for (let session = from; session < to; session += 1) writeSession(folder, session)
  return importedFrom(client, folder)
}

/** Imports a folder. Returns the ids of all sessions. */
export async function importedFrom(client: Client<Routes>, folder: string): Promise<string[]> {
  await done(client, await client.startImport({ body: { paths: [folder] } }))
  const found: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await client.listTraces({ query: { limit: '100', ...(cursor !== undefined && { cursor }) } })
    found.push(...page.items.map(({ id }) => id))
    if (page.nextCursor === null) return found
    cursor = page.nextCursor
  }
}

export async function done<Result>(client: Client<Routes>, job: { id: string }): Promise<Result> {
  for (;;) {
    const { state, result, error } = await client.getJob({ params: { id: job.id }, query: { waitMs: 5000 } })
    if (state === 'failed') throw new Error(error!.message)
    if (state === 'completed') return result as Result // the caller knows what jobs of this kind return
  }
}

export const makeExam = async (client: Client<Routes>, traceIds: string[], more: object = {}): Promise<Exam> =>
  done<Exam>(client, await client.makeExam({ body: { traceIds, ...more } }))

/** Waits until a run no longer asks. */
export async function ended(client: Client<Routes>, { id: run, examId: id }: Pick<ExamRun, 'id' | 'examId'>) {
  for (;;) {
    const found = await client.getExamRun({ params: { id, run } })
    if (found.state !== 'queued' && found.state !== 'running') return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
