import { Suspense, lazy, useEffect, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useConnection } from '#renderer/api/connection.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { traceHref } from './links.ts'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Announcer } from '#renderer/ui/announcer.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { OutsideLinkDialog } from '#renderer/ui/outside-link.tsx'
import { EmptyState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { toast, Toaster } from '#renderer/ui/toast.tsx'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { desktop } from './desktop.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { KeyMapOverlay } from './key-map-overlay.tsx'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import { SignedOut } from './signed-out.tsx'
import { StaleBanner } from './stale-banner.tsx'
import { StatusBar } from './status-bar.tsx'
import { useArrival } from './use-arrival.ts'
import { setSingleKeys, useKeys } from './use-keys.ts'

const HomePage = lazy(() => import('#renderer/features/home/page.tsx'))
const FirstRunPage = lazy(() => import('#renderer/features/onboarding/page.tsx'))
const HooksSetup = lazy(() => import('#renderer/features/settings/hooks-setup.tsx'))
const TracesPage = lazy(() => import('#renderer/features/traces/page.tsx'))
const PrivacyPage = lazy(() => import('#renderer/features/privacy/page.tsx'))
const SettingsPage = lazy(() => import('#renderer/features/settings/page.tsx'))
const FactoryPage = lazy(() => import('#renderer/features/factory/page.tsx'))
const ModelsPage = lazy(() => import('#renderer/features/models/page.tsx'))
const TrainingPage = lazy(() => import('#renderer/features/training/page.tsx'))
const ArenaPage = lazy(() => import('#renderer/features/arena/page.tsx'))
const JobsPage = lazy(() => import('#renderer/features/jobs/page.tsx'))

export function App() {
  const signedOut = useConnection((connection) => connection.state === 'signed-out')
  const theme = useTheme((state) => state.theme)
  const words = <Toaster theme={theme} />
  return <TooltipProvider>{signedOut ? <SignedOut words={words} /> : <Shell words={words} />}</TooltipProvider>
}

function Shell({ words }: { words: ReactNode }) {
  const [path, go] = useLocation()
  const singleKeys = useAppearance()
  useKeys({ palette: () => showOverlay('palette'), keyMap: () => showOverlay('keys') })
  useArrival(path)
  useEffect(() => desktop()?.onNavigate(go), [go])
  useEffect(() => desktop()?.onNotice((sentence) => toast.notice(sentence)), [])
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <div className="flex min-h-0 flex-1">
        <Rail />
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <StaleBanner />
          <ErrorBoundary resetKey={path}>
            <Suspense fallback={<PageSkeleton />}>
              <Pages />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      {words}
      <StatusBar />
      <Announcer />
      <ConfirmationDialog />
      <OutsideLinkDialog />
      <Palette />
      <KeyMapOverlay singleKeys={singleKeys} />
    </div>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Start} />
      <Route path="/welcome">
        <FirstRunPage hooks={<HooksSetup />} />
      </Route>
      <Route path="/traces" component={TracesPage} />
      {/* Deep links of the desktop shell: bashgym://trace/<id>. */}
      <Route path="/trace/:id">{({ id }) => <Redirect to={traceHref(id)} replace />}</Route>
      <Route path="/traces/:id">{({ id }) => <Redirect to={traceHref(id)} replace />}</Route>
      <Route path="/factory/:tab?/*?">{(params) => <FactoryPage tab={params.tab} rest={params['*'] ?? ''} />}</Route>
      <Route path="/training/*?">{(params) => <TrainingPage rest={params['*'] ?? ''} />}</Route>
      <Route path="/models/*?">{(params) => <ModelsPage rest={params['*'] ?? ''} />}</Route>
      <Route path="/arena/*?">{(params) => <ArenaPage rest={params['*'] ?? ''} />}</Route>
      <Route path="/privacy" component={PrivacyPage} />
      <Route path="/settings/:section?">{({ section }) => <SettingsPage section={section} />}</Route>
      <Route path="/jobs" component={JobsPage} />
      <Route>
        <EmptyState
          title="Page not found"
          action={
            <ButtonLink href="/" look="primary">
              Home
            </ButtonLink>
          }
        >
          The link may be incomplete or from another version.
        </EmptyState>
      </Route>
    </Switch>
  )
}

/** Home, or before it once the first run; what cannot be told yet is neither. */
function Start() {
  const { data, error } = useSettings()
  if (data) return data.settings.onboarding.done ? <HomePage /> : <FirstRunPage hooks={<HooksSetup />} />
  return error ? <HomePage /> : <PageSkeleton />
}

/** Puts the settings for look and keys in force; true while single-letter keys are on. */
function useAppearance(): boolean {
  const { data } = useSettings()
  const appearance = data?.settings.appearance
  useEffect(() => {
    if (!appearance) return
    useTheme.setState({ theme: appearance.theme, density: appearance.density })
    setSingleKeys(appearance.singleKeyShortcuts)
  }, [appearance])
  return appearance?.singleKeyShortcuts ?? true
}

const PageSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-4 w-96 max-w-full" />
    <Skeleton className="mt-4 h-40 w-full" />
  </Loading>
)
