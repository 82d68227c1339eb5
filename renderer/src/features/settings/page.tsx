import { Suspense, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useSettings } from '#renderer/api/settings.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { findSettings, settingsPageOf } from '#renderer/app/settings-pages.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { cn } from '#renderer/ui/cn.ts'
import { Fetched, LoadingBars } from '#renderer/ui/fetched.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { RestoredSection } from './restored.tsx'

export default function SettingsPage({ section, features }: { section: string | undefined; features: readonly Feature[] }) {
  const current = settingsPageOf(features, section)
  const settings = useSettings()
  if (!current) return null
  const { id, label, Body } = current
  return (
    <div className="flex min-h-0 flex-1">
      <SectionList current={id} features={features} />
      <Page title={label} narrow>
        <Fetched query={settings} what="settings" bars={BARS}>
          {() => (
            <>
              <RestoredSection />
              <Suspense fallback={<LoadingBars label="Loading the settings" bars={BARS} className="flex flex-col gap-4" />}>
                <Body />
              </Suspense>
            </>
          )}
        </Fetched>
      </Page>
    </div>
  )
}

const BARS = ['h-14 w-full', 'h-14 w-full', 'h-14 w-full', 'h-14 w-full']

function SectionList({ current, features }: { current: string; features: readonly Feature[] }) {
  const [query, setQuery] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const matches = findSettings(features, query)
  useKeys({ filter: () => input.current?.focus() })
  return (
    <nav
      aria-label="Settings"
      className="flex w-[216px] max-[900px]:w-[160px] shrink-0 flex-col gap-2 overflow-y-auto border-r border-line p-3"
    >
      <div className="relative">
        <TextInput
          ref={input}
          type="search"
          aria-label="Search settings"
          placeholder="Search settings"
          value={query}
          onChange={setQuery}
          className="w-full"
        />
        {query === '' ? (
          <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center">
            <KeyHint keys={keyOf('filter')} />
          </span>
        ) : null}
      </div>
      <ul className="flex flex-col gap-0.5">
        {matches.map(({ id, label }) => (
          <li key={id}>
            <Link
              href={`/settings/${id}`}
              aria-current={id === current ? 'page' : undefined}
              className={cn(
                'focus-inset flex h-8 items-center rounded px-2 text-sm hover:bg-raised',
                id === current ? 'bg-raised font-semibold shadow-[inset_2px_0_0_var(--accent)]' : 'text-second',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {matches.length === 0 ? <p className="px-2 text-xs text-second">No settings match.</p> : null}
    </nav>
  )
}
