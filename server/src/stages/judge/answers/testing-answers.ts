import type { Client } from '#contracts/derive/client.ts'
import type { AnswerRun, AnswerRunRequest } from '#contracts/entities/answer.ts'
import type { Routes } from '#contracts/routes/index.ts'
import type { z } from 'zod'
import type { Received, Reply } from '#server/adapters/llm/testing-stub.ts'
import { done } from '../exam/testing-exam.ts'

/** A valid grade. */
export const graded = (score: number, reasoning = `It is a ${score}.`): Reply => ({
  text: JSON.stringify({ evidence: ['quote'], reasoning, score }),
})
export const preferred = (better: 'first' | 'second' | 'equal'): Reply => ({
  text: JSON.stringify({ evidence: [], reasoning: 'because', better }),
})

/** What a request asks to grade. */
export const materialOf = ({ body }: Received): Record<string, string> =>
  JSON.parse(body.messages.find(({ role }) => role === 'user')!.content) as Record<string, string>

export const isSelfTest = (request: Received): boolean => materialOf(request)['request']!.includes('larger of two numbers')

export const prepare = async (client: Client<Routes>, body: z.input<typeof AnswerRunRequest>): Promise<AnswerRun> =>
  done<AnswerRun>(client, await client.prepareAnswerRun({ body }))

/** Waits until a run no longer asks. */
export async function rested(client: Client<Routes>, id: string): Promise<AnswerRun> {
  for (;;) {
    const run = await client.getAnswerRun({ params: { id } })
    if (run.state !== 'running' && run.state !== 'queued') return run
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function run(client: Client<Routes>, body: z.input<typeof AnswerRunRequest>): Promise<AnswerRun> {
  const { id } = await prepare(client, body)
  await client.startAnswerRun({ params: { id }, body: {} })
  return rested(client, id)
}
