import type { z } from 'zod'
import { ChatChunk } from '#contracts/entities/model.ts'
import type { chatWithModel } from '#contracts/routes/models.ts'
import { api } from './client.ts'

export type ChatRequest = z.input<(typeof chatWithModel)['body']>

/** Streams one answer of a loaded model. Aborting `signal` also stops it on the server. */
export async function* chat(serving: string, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
  yield* readChat(await api.chatWithModel({ params: { serving }, body: request, signal }))
}

/** The JSON lines of a stream. The last chunk is `done` or `error`; a stream that breaks off ends with an error chunk. */
export async function* readChat(response: Response): AsyncGenerator<ChatChunk> {
  for await (const line of linesOf(response)) {
    const chunk = ChatChunk.parse(JSON.parse(line))
    yield chunk
    if (chunk.type === 'done' || chunk.type === 'error') return
  }
  yield { type: 'error', code: 'internal', message: 'The answer is incomplete: the connection closed before the model finished.' }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield line
    }
    if (rest.trim() !== '') yield rest
  } finally {
    // a caller that stops reading early also stops the answer on the server
    await reader.cancel().catch(() => undefined)
  }
}
