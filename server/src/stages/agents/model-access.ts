import path from 'node:path'
import type { ClearTexts, LlmProxy, ProxyDialect, ProxyPath, ProxyUsage } from '#server/adapters/llm-proxy/index.ts'
import type { Ledger } from '#server/adapters/llm/index.ts'
import type { TokenPrice } from '#server/prices/request-cost.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { createExchangeRecord } from './exchange-record.ts'

/** The model endpoint that the proxy of a run forwards to. */
export interface ModelSource {
  dialect: ProxyDialect
  /** Without `/v1` for the Messages API, with it for the chat completions API. */
  baseUrl: string
  key: () => Promise<string | null>
  /** Null: the client chooses the model. */
  model: string | null
  price: (model: string | null) => TokenPrice | null
  /** Call it when nothing is asked any more. */
  release?: () => void
}

export interface ModelAccess {
  /** The endpoint inside the sandbox. */
  endpoint: { dialect: ProxyDialect; baseUrl: string; token: string }
  usage(): ProxyUsage
  /** Revokes the access. Resolves when all requests have ended and are recorded. */
  close(): Promise<void>
}

const PATHS: Record<ProxyDialect, readonly ProxyPath[]> = {
  anthropic: ['/v1/messages'],
  openai: ['/v1/chat/completions', '/v1/responses'],
}

interface Request {
  source: ModelSource
  ledger: Ledger
  /** Replaces secrets in the requests; null: they are sent as they are. */
  clear: ClearTexts | null
  /** A sandbox that is created but not started. */
  sandboxId: string
  /** The folder of the run, where `requests.jsonl.gz` is written. */
  folder: string
  onUsage: (usage: ProxyUsage) => void
  /** Called with the names of what was not sent of a request. */
  onRemoved: (names: readonly string[]) => void
  /** Called when requests can no longer be recorded; the run continues. */
  onError: (error: Error) => void
  signal: AbortSignal
}

/** Opens the only way from a sandbox to the model of its run. Throws if a limit of the run cannot be enforced. */
export async function openModelAccess(
  { proxy, sandboxes }: { proxy: LlmProxy; sandboxes: Pick<Sandboxes, 'allowPort'> },
  { source, ledger, clear, sandboxId, folder, onUsage, onRemoved, onError, signal }: Request,
): Promise<ModelAccess> {
  const { dialect, baseUrl, key, model, price } = source
  const record = createExchangeRecord(path.join(folder, 'requests.jsonl.gz'), onError)
  const grant = await proxy.grant({
    upstream: { dialect, baseUrl, key },
    allowedPaths: PATHS[dialect],
    ledger,
    model,
    price,
    clear,
    onExchange(exchange) {
      record.add(exchange)
      if (exchange.removed.length > 0) onRemoved(exchange.removed)
      onUsage(grant.usage())
    },
    signal,
  })
  const inside = sandboxes.allowPort(sandboxId, Number(new URL(grant.baseUrl).port))
  return {
    endpoint: { dialect, baseUrl: dialect === 'openai' ? `${inside}/v1` : inside, token: grant.token },
    usage: () => grant.usage(),
    async close() {
      await grant.revoke()
      await record.close()
      source.release?.()
    },
  }
}
