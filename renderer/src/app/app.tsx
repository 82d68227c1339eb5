import { Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useConnection } from '#renderer/api/connection.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Announcer } from '#renderer/ui/announcer.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { OutsideLinkDialog } from '#renderer/ui/outside-link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { desktop } from './desktop.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import type { Page } from './feature.ts'
import { FEATURES } from './features.ts'
import { KeyMapOverlay } from './key-map-overlay.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { movedTo } from './old-addresses.ts'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import { SignedOut } from './signed-out.tsx'
import { StaleBanner } from './stale-banner.tsx'
import { FirstRun, Start } from './start.tsx'
import { StatusBar } from './status-bar.tsx'
import { useArrival } from './use-arrival.ts'
import { setSingleKeys, useKeys } from './use-keys.ts'

export function App() {
  const signedOut = useConnection((connection) => connection.state === 'signed-out')
  return <TooltipProvider>{signedOut ? <SignedOut /> : <Shell />}</TooltipProvider>
}

function Shell() {
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
      <StatusBar />
      <Announcer />
      <ConfirmationDialog />
      <OutsideLinkDialog />
      <Palette />
      <KeyMapOverlay singleKeys={singleKeys} />
    </div>
  )
}

const PAGES: readonly Page[] = FEATURES.flatMap(({ pages = [] }) => pages)

function Pages() {
  useLocation() // renders again when the address changes
  const { pathname, search, hash } = window.location
  const moved = movedTo(pathname)
  if (moved !== null) return <Redirect to={`${moved}${search}${hash}`} replace />
  return (
    <Switch>
      <Route path="/" component={Start} />
      <Route path="/welcome" component={FirstRun} />
      {PAGES.map(({ path, page }) => (
        <Route key={path} path={path}>
          {(params) => page(params, FEATURES)}
        </Route>
      ))}
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

/** Applies the appearance settings; true if single-letter keys are on. */
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
