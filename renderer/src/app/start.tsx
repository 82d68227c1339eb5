import { lazy } from 'react'
import { useSettings } from '#renderer/api/settings.ts'
import { FEATURES } from './features.ts'
import { jobWord } from './job-words.ts'
import { PageSkeleton } from './page-skeleton.tsx'

const HomePage = lazy(() => import('#renderer/features/home/page.tsx'))
const FirstRunPage = lazy(() => import('#renderer/features/onboarding/page.tsx'))
const HooksSetup = lazy(() => import('#renderer/features/settings/hooks-setup.tsx'))

/** Home, or the first-run guide; a skeleton until the settings are loaded. */
export function Start() {
  const { data, error } = useSettings()
  if (data) return data.settings.onboarding.done ? <HomePage /> : <FirstRun />
  return error ? <HomePage /> : <PageSkeleton />
}

export const FirstRun = () => <FirstRunPage hooks={<HooksSetup />} wordOf={(kind) => jobWord(FEATURES, kind)} />
