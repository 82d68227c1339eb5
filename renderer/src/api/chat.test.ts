import { afterEach, expect, test, vi } from 'vitest'
import type { ChatChunk } from '#contracts/entities/model.ts'
import { chat, readChat } from './chat.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A response whose body arrives in the given pieces. */
function answer(pieces: readonly Uint8Array<ArrayBuffer>[], onCancel?: () => void): Response {
  const rest = [...pieces]
  return new Response(
    new ReadableStream({
      pull(controller) {
        const piece = rest.shift()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
      ...(onCancel ? { cancel: onCancel } : {}),
    }),
  )
}

async function all(response: Response): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = []
  for await (const chunk of readChat(response)) chunks.push(chunk)
  return chunks
}

const DONE = { type: 'done', tokens: 2, ms: 10, firstTokenMs: 4, tokensPerSec: 200 } as const

afterEach(() => vi.unstubAllGlobals())

test('lines are reassembled wherever the network splits them, even within a character', async () => {
  const whole = bytes(
    `{"type":"text","text":"größer","tokens":1,"ms":5,"tokensPerSec":null}\n\n{"type":"tool_call","name":"Bash","arguments":{"command":"ls"},"raw":""}\n${JSON.stringify(DONE)}`,
  )
  for (let at = 1; at < whole.length; at += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one split after the other
    const chunks = await all(answer([whole.slice(0, at), whole.slice(at)]))
    expect(chunks).toEqual([
      { type: 'text', text: 'größer', tokens: 1, ms: 5, tokensPerSec: null },
      { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '' },
      DONE,
    ])
  }
})

test('an answer that ends early, or is empty, ends with an error', async () => {
  const broken = expect.objectContaining({ type: 'error', message: expect.stringContaining('incomplete') })
  expect(await all(answer([bytes('{"type":"text","text":"a","tokens":1,"ms":5,"tokensPerSec":null}\n')]))).toEqual([
    { type: 'text', text: 'a', tokens: 1, ms: 5, tokensPerSec: null },
    broken,
  ])
  expect(await all(answer([]))).toEqual([broken])
})

test('a line of an unknown type is an error', async () => {
  await expect(all(answer([bytes('{"type":"thought"}\n')]))).rejects.toThrow(/type/)
})

test('reading stops at the final line, and the rest is cancelled', async () => {
  const cancelled = vi.fn()
  const more = Array.from({ length: 100 }, () => bytes('{"type":"text","text":"more","tokens":1,"ms":5,"tokensPerSec":null}\n'))
  expect(await all(answer([bytes(`${JSON.stringify(DONE)}\n`), ...more], cancelled))).toEqual([DONE])
  expect(cancelled).toHaveBeenCalled()
})

test('stopping aborts the request', async () => {
  const asked: RequestInit[] = []
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    asked.push(init)
    return new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  })
  const stop = new AbortController()
  const first = chat('s1', { messages: [{ role: 'user', content: 'hi' }] }, stop.signal).next()
  stop.abort()
  await expect(first).rejects.toThrow(/abort/i)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.signal).toBe(stop.signal)
})

test('an error of the server is thrown', async () => {
  const error = { code: 'not_found', message: 'This model is not loaded.' }
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 404 }))
  await expect(chat('gone', { messages: [{ role: 'user', content: 'hi' }] }, new AbortController().signal).next()).rejects.toMatchObject(
    error,
  )
})
