import { Box, GitCompare } from 'lucide-react'
import { lazy } from 'react'
import { Artifact } from '#contracts/entities/model.ts'
import { Probe } from '#contracts/entities/probe.ts'
import { probeLine } from '#contracts/probe-words.ts'
import { modelMessages, useModelSearch } from '#renderer/api/models.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { modelHref } from '#renderer/app/links.ts'
import { useCompare } from '#renderer/app/use-compare.ts'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'

const ModelsPage = lazy(() => import('./page.tsx'))

function useCommands(): readonly Command[] {
  const compare = useCompare()
  return [{ id: 'compare-models', label: 'Compare models', icon: GitCompare, order: 160, run: () => compare('/models') }]
}

export const models = {
  sections: [{ group: 'models', path: '/models', label: 'Models', icon: Box, words: 'registry artifacts adapters gguf export serve try' }],
  pages: [{ path: '/models/*?', page: (params) => <ModelsPage rest={params['*'] ?? ''} /> }],
  messages: [modelMessages],
  useCommands,
  named: { heading: 'Models', icon: Box, href: modelHref, useRows: (word) => useModelSearch(word).data?.items },
  jobs: [
    {
      kind: 'probe',
      name: 'Probe',
      outcome: wordsFor(Probe, (result, { subject }) => ({
        sentence: probeLine(result),
        ...(subject !== null && { link: { href: modelHref(subject), label: 'Open model' } }),
      })),
    },
    {
      kind: 'model-export',
      name: 'Model export',
      outcome: wordsFor(Artifact, ({ format, quantization, bytes, parity }, { subject }) => ({
        sentence: listed(
          `${quantization === null ? format : `${format} ${quantization}`}, ${formatBytes(bytes)}`,
          parity
            ? `${formatCount(parity.sameText)} of ${plural(parity.prompts, 'answer')} identical`
            : 'not compared with the original model',
        ),
        ...(subject !== null && { link: { href: modelHref(subject), label: 'Open model' } }),
      })),
    },
  ],
} satisfies Feature
