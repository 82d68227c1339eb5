import {
  ChartLine,
  Compass,
  Database,
  ListChecks,
  MessagesSquare,
  Sparkles,
  Upload,
  Wrench,
  Contrast,
  Download,
  GitCompare,
  Keyboard,
  PlugZap,
  RefreshCw,
  ScanSearch,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Stethoscope,
} from 'lucide-react'
import { useLocation } from 'wouter'
import { useStartImport } from '#renderer/api/capture.ts'
import { usePrivacyScan } from '#renderer/api/privacy.ts'
import { usePatchSettings } from '#renderer/api/settings.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { isDark, useTheme } from '#renderer/stores/theme.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { keyOf } from './keymap.ts'

/** The acts that the palette offers from every screen. */
export function useCommands() {
  const [, go] = useLocation()
  const startImport = useStartImport()
  const patch = usePatchSettings()
  const scan = usePrivacyScan()
  const theme = useTheme((state) => state.theme)
  const offline = useOfflineReason()
  const other = isDark(theme) ? 'light' : 'dark'
  const compareIn = (place: string) => {
    go(place)
    toast.info('Select two or more', `${keyOf('select')} selects, ${keyOf('compareMarked')} compares.`)
  }
  return [
    {
      id: 'import',
      label: 'Import sessions from this machine',
      icon: Download,
      off: offline,
      // the promise: callbacks of the mutation are dropped when the palette closes
      run: () =>
        void startImport.mutateAsync(undefined).then(
          () => toast.info('Import started', 'Its progress is in the status bar.'),
          () => undefined, // the error has its own toast
        ),
    },
    { id: 'hooks', label: 'Install or remove hooks', icon: PlugZap, run: () => go('/settings/capture') },
    { id: 'rescore', label: 'Rescore all traces', icon: RefreshCw, run: () => go('/settings/scoring') },
    { id: 'verify', label: 'Check the archive', icon: ShieldCheck, run: () => go('/settings/storage') },
    {
      id: 'privacy-scan',
      label: 'Scan for secrets and personal data',
      icon: ScanSearch,
      off: offline,
      run: () => {
        go('/privacy')
        void scan.mutateAsync(false).catch(() => undefined) // the error has its own toast
      },
    },
    { id: 'privacy-rules', label: 'Privacy: what is detected and replaced', icon: SlidersHorizontal, run: () => go('/settings/privacy') },
    { id: 'providers', label: 'Providers: keys, models and limits', icon: Server, run: () => go('/settings/providers') },
    { id: 'new-run', label: 'New run', words: 'train fine-tune start training', icon: ChartLine, run: () => go('/training/new') },
    {
      id: 'make-examples',
      label: 'Make examples of sessions',
      words: 'training rows segments',
      icon: MessagesSquare,
      run: () => go('/factory/examples/new'),
    },
    {
      id: 'generate',
      label: 'Generate more examples with a model',
      words: 'synthetic augment grow variants tasks',
      icon: Sparkles,
      run: () => go('/factory/examples/grow'),
    },
    {
      id: 'new-dataset',
      label: 'New data set',
      words: 'dataset build recipe version train validation split',
      icon: Database,
      run: () => go('/factory/datasets/new'),
    },
    {
      id: 'import-rows',
      label: 'Import rows from a file',
      words: 'dataset jsonl parquet',
      icon: Upload,
      run: () => go('/factory/datasets/import'),
    },
    { id: 'jobs', label: 'Jobs', words: 'background work progress queue', icon: ListChecks, run: () => go('/jobs') },
    { id: 'welcome', label: 'First-run guide', words: 'welcome set up onboarding start', icon: Compass, run: () => go('/welcome') },
    { id: 'compare-runs', label: 'Compare runs', icon: GitCompare, run: () => compareIn('/training') },
    { id: 'compare-models', label: 'Compare models', icon: GitCompare, run: () => compareIn('/models') },
    { id: 'training-set-up', label: 'Training: Python environment', icon: Wrench, run: () => go('/settings/training') },
    { id: 'doctor', label: 'Doctor: check this machine', icon: Stethoscope, run: () => go('/settings/doctor') },
    {
      id: 'theme',
      label: `Switch to the ${other} theme`,
      icon: Contrast,
      off: offline,
      run: () => patch.mutate({ appearance: { theme: other } }),
    },
    { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, keys: keyOf('keyMap'), run: () => showOverlay('keys') },
  ]
}
