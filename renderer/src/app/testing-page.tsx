import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
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
