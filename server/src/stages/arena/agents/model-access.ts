import path from 'node:path'
import type { TaskCaps } from '#contracts/entities/task.ts'
import type { LlmProxy, ProxyDialect, ProxyPath, ProxyUsage } from '#server/adapters/llm-proxy/index.ts'
import type { Price } from '#server/adapters/llm/index.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import { createExchangeRecord } from './exchange-record.ts'

/** Where the model of a run is, as its proxy asks it. */
export interface ModelSource {
  dialect: ProxyDialect
  /** Without `/v1` for the Messages API, with it for the chat completions API. */
  baseUrl: string
  key: () => Promise<string | null>
  /** Null: the client chooses. */
  model: string | null
  price: (model: string | null) => Price | null
}

export interface ModelAccess {
  /** As the agent reaches it. */
  endpoint: { dialect: ProxyDialect; baseUrl: string; token: string }
  usage(): ProxyUsage
  /** Resolves when nothing of the run is asked any more, and all of it is recorded. */
  close(): Promise<void>
}

const PATHS: Record<ProxyDialect, readonly ProxyPath[]> = {
  anthropic: ['/v1/messages', '/v1/messages/count_tokens', '/v1/models'],
  openai: ['/v1/chat/completions', '/v1/responses', '/v1/models'],
}

interface Request {
  source: ModelSource
  caps: TaskCaps
  /** Created, not started. */
  sandboxId: string
  /** Of the run: `requests.jsonl.gz` is written there. */
  folder: string
  onUsage: (usage: ProxyUsage) => void
  /** The record failed; the run continues. */
  onError: (error: Error) => void
  signal: AbortSignal
}

/** The one way from a sandbox to the model of its run. Throws a sentence if a cap of the run cannot be kept. */
export async function openModelAccess(
  { proxy, sandboxes }: { proxy: LlmProxy; sandboxes: Pick<Sandboxes, 'reach'> },
  { source, caps, sandboxId, folder, onUsage, onError, signal }: Request,
): Promise<ModelAccess> {
  const { dialect, baseUrl, key, model, price } = source
  const record = createExchangeRecord(path.join(folder, 'requests.jsonl.gz'), onError)
  const granted = await proxy.grant({
    upstream: { dialect, baseUrl, key },
    allowedPaths: PATHS[dialect],
    caps: { requests: caps.turns, totalTokens: caps.tokens, costUsd: caps.costUsd },
    model,
    price,
    onExchange(exchange) {
      record.add(exchange)
      onUsage(granted.usage())
    },
    signal,
  })
  const inside = sandboxes.reach(sandboxId, Number(new URL(granted.baseUrl).port))
  return {
    endpoint: { dialect, baseUrl: dialect === 'openai' ? `${inside}/v1` : inside, token: granted.token },
    usage: () => granted.usage(),
    async close() {
      await granted.revoke()
      await record.close()
    },
  }
}
