import { ChartLine, Download, GitCompare, Wrench } from 'lucide-react'
import { lazy } from 'react'
import { DownloadedModel } from '#contracts/entities/base-model.ts'
import { TrainingEnvironment } from '#contracts/entities/run.ts'
import { baseModelMessages, DOWNLOADS } from '#renderer/api/base-models.ts'
import { runMessages, useRunSearch } from '#renderer/api/runs.ts'
import { environmentMessages } from '#renderer/api/training-environment.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { isItBetterHref, runHref } from '#renderer/app/links.ts'
import { useCompare } from '#renderer/app/use-compare.ts'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { DeviceItem, RunItem } from './status.tsx'

const TrainingPage = lazy(() => import('./page.tsx'))

function useCommands(): readonly Command[] {
  const compare = useCompare()
  return [
    { id: 'new-run', label: 'New run', words: 'train fine-tune start training', icon: ChartLine, order: 80, href: '/training/new' },
    { id: 'compare-runs', label: 'Compare runs', icon: GitCompare, order: 150, run: () => compare('/training') },
    {
      id: 'download-model',
      label: 'Download a base model',
      words: 'pull hub hugging face',
      icon: Download,
      order: 168,
      href: '/settings/models',
    },
    { id: 'training-set-up', label: 'Training: Python environment', icon: Wrench, order: 170, href: '/settings/training' },
  ]
}

export const training = {
  sections: [{ group: 'models', path: '/training', label: 'Training', icon: ChartLine, words: 'runs loss curves queue fine-tune' }],
  pages: [{ path: '/training/*?', page: (params) => <TrainingPage rest={params['*'] ?? ''} /> }],
  messages: [runMessages, environmentMessages, baseModelMessages],
  useCommands,
  named: { heading: 'Runs', icon: ChartLine, href: runHref, useRows: (word) => useRunSearch(word).data?.items },
  status: [
    { side: 'left', order: 40, Item: RunItem },
    { side: 'right', order: 10, Item: DeviceItem },
  ],
  jobs: [
    { kind: 'dry-run', name: 'Dry run' },
    {
      kind: DOWNLOADS,
      name: 'Model download',
      outcome: wordsFor(DownloadedModel, ({ id, files, bytes }) => ({
        sentence: listed(id, plural(files, 'file'), formatBytes(bytes)),
        link: { href: '/settings/models', label: 'Settings → Models' },
      })),
    },
    {
      kind: 'training-environment',
      name: 'Training environment',
      outcome: wordsFor(TrainingEnvironment, ({ state, version, packages, bytes }) => ({
        sentence: listed(
          state === 'ready' ? 'ready' : `state: ${state}`,
          version !== null && `Python ${version}`,
          plural(packages.length, 'package'),
          bytes !== null && formatBytes(bytes),
        ),
        link: { href: '/settings/training', label: 'Settings → Training' },
      })),
    },
  ],
  notices: {
    'training:complete': ({ run: { name, step, loss, modelId } }) => ({
      kind: 'jobs',
      title: `${name}: training finished`,
      body: `${step.toLocaleString('en')} steps${loss === null ? '' : `, loss ${loss.toPrecision(4)}`}`,
      ...(modelId !== null && { link: { href: isItBetterHref(modelId), label: 'Is it better?' } }),
      when: 'always',
    }),
    'training:failed': ({ run, error }) => ({
      kind: 'jobs',
      title: `${run.name}: training failed`,
      body: error.message,
      when: 'failure',
    }),
  },
  settings: [
    {
      id: 'training',
      label: 'Training',
      words: 'python environment install repair remove packages torch cuda gpu interpreter venv log ray cluster remote',
      order: 50,
      Body: lazy(() => import('./settings/page.tsx')),
    },
    {
      id: 'models',
      label: 'Models',
      words: 'base models download pull hub hugging face endpoint token gated folders cache gguf ollama lm studio',
      order: 57,
      Body: lazy(() => import('./settings/models.tsx')),
    },
  ],
} satisfies Feature
