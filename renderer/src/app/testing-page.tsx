import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { useConnection } from '#renderer/api/connection.ts'
import { createQueryClient } from '#renderer/api/query-client.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'

export const testQueries = () => createQueryClient(() => undefined)

/** Renders a part of the app with a query cache and tooltips around it. */
export const showPart = (part: ReactNode, queries = testQueries()) =>
  render(part, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queries}>
        <TooltipProvider>{children}</TooltipProvider>
      </QueryClientProvider>
    ),
  })

/** For `afterEach`: removes everything that a test left behind. */
export function leavePage(): void {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  useConnection.setState({ state: 'connecting' })
}
