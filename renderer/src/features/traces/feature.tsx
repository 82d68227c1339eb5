import { Download, ListTree } from 'lucide-react'
import { lazy } from 'react'
import { Redirect } from 'wouter'
import { useStartImport } from '#renderer/api/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { checkMessages } from '#renderer/api/checks.ts'
import { outcomeMessages } from '#renderer/api/outcomes.ts'
import { scoringMessages } from '#renderer/api/scoring.ts'
import { traceFacetMessages, traceMessages } from '#renderer/api/traces.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { traceHref } from '#renderer/app/links.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { TRACE_JOBS } from './jobs.ts'

const TracesPage = lazy(() => import('./page.tsx'))

const toTrace = ({ id }: Readonly<Record<string, string | undefined>>) => <Redirect to={traceHref(id ?? '')} replace />

function useCommands(): readonly Command[] {
  const startImport = useStartImport()
  const offline = useOfflineReason()
  return [
    {
      id: 'import',
      label: 'Import sessions from this machine',
      icon: Download,
      order: 10,
      off: offline,
      // uses the promise, because the mutation's callbacks are dropped when the palette closes
      run: () =>
        void startImport.mutateAsync(undefined).then(
          () => toast.info('Import started', 'Its progress is in the status bar.'),
          () => undefined, // the error has its own toast
        ),
    },
  ]
}

export const traces = {
  sections: [{ group: 'data', path: '/traces', label: 'Traces', icon: ListTree, words: 'sessions transcripts history conversations' }],
  pages: [
    { path: '/traces', page: () => <TracesPage /> },
    // Deep links of the desktop shell: bashgym://trace/<id>.
    { path: '/trace/:id', page: toTrace },
    { path: '/traces/:id', page: toTrace },
  ],
  messages: [traceMessages, traceFacetMessages, scoringMessages, checkMessages, outcomeMessages],
  useCommands,
  jobs: TRACE_JOBS,
} satisfies Feature
