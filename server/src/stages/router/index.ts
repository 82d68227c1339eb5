import type { RouterSettings, RoutingStrategy } from '#contracts/settings/router.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { proxyRoutes } from './proxy/routes.ts'
import { createProxy } from './proxy/service.ts'
import { routingRoutes } from './routing/routes.ts'
import { createRouting } from './routing/service.ts'

export interface RouterDeps {
  settings: () => RouterSettings
  /** From ROUTING_STRATEGY. */
  strategy: RoutingStrategy | null
  /** The address of Anthropic's API. */
  upstream: () => string
  /** The secret part of the proxy's address. */
  token: () => string
}

/** Whether a piece of work goes to the user's own model, as far as an exam proves it, and the way through which it goes. */
export function createRouterStage(core: Core, { settings, strategy, upstream, token }: RouterDeps): { stage: Stage } {
  const routing = createRouting(core, { settings, strategy, proxy: () => proxy.status() })
  const proxy = createProxy(core, { settings, strategy: routing.strategy, upstream, token })
  return {
    stage: {
      name: 'router',
      routes: [...routingRoutes(routing), ...proxyRoutes(proxy)],
      forget: null,
      start: ({ watch }) => (watch ? proxy.start() : undefined),
      stop: () => proxy.stop(),
      settings: [{ select: ({ router }) => [router.proxy, router.proxyPort], onChange: () => void proxy.changed() }],
    },
  }
}
