import { useState } from 'react'
import { TrainSettings } from '#contracts/trainer.ts'
import { cn } from '#renderer/ui/cn.ts'
import { settingText, type Draft } from './draft.ts'
import { ALL_FIELDS, BASIC, fitsStrategy, GROUPS } from './fields.ts'
import { Rewards } from './rewards.tsx'
import { SettingRow } from './setting-row.tsx'

/** Defaults by path: from the newest plan that was made while the field was empty, before the first plan from the contract. */
export function useDefaults(draft: Draft, resolved: TrainSettings | null): Record<string, string> {
  const scope = `${draft.strategy} ${draft.preset} ${draft.settings['method.kind'] ?? ''}`
  const [cached, setCached] = useState<{ scope: string; of: TrainSettings | null; values: Record<string, string> }>({
    scope,
    of: null,
    values: {},
  })
  if (resolved && (cached.of !== resolved || cached.scope !== scope)) {
    const defaults = ALL_FIELDS.filter(({ path }) => !draft.settings[path]).map(({ path }) => [path, settingText(resolved, path)] as const)
    setCached({ scope, of: resolved, values: { ...(cached.scope === scope ? cached.values : {}), ...Object.fromEntries(defaults) } })
  }
  return cached.scope === scope ? { ...CONTRACT, ...cached.values } : CONTRACT
}

const CONTRACT_SETTINGS = TrainSettings.parse({ learningRate: 1 })
/** The default learning rate depends on strategy and method, so only a plan knows it. */
const CONTRACT: Record<string, string> = Object.fromEntries(
  ALL_FIELDS.map(({ path }) => [path, path === 'learningRate' ? '' : settingText(CONTRACT_SETTINGS, path)]),
)

/** The basic settings, followed by collapsed groups with the other ones. */
export function Settings({
  draft,
  set,
  defaults,
  errorOf,
  plan,
}: {
  draft: Draft
  set: (part: Partial<Draft>) => void
  defaults: Record<string, string>
  errorOf: (path: string) => string | undefined
  plan: TrainSettings | null
}) {
  const change = (path: string, value: string) => {
    const { [path]: _before, ...others } = draft.settings
    set({ settings: value === '' ? others : { ...others, [path]: value } })
  }
  const isFull = (draft.settings['method.kind'] ?? defaults['method.kind']) === 'full'
  const visibleFields = (fields: typeof BASIC) => fields.filter((field) => fitsStrategy(field, draft.strategy) && !(isFull && field.path.startsWith('method.') && field.path !== 'method.kind')) // prettier-ignore
  const rows = (fields: typeof BASIC) =>
    visibleFields(fields).map((field) => (
      <SettingRow
        key={field.path}
        field={field}
        value={draft.settings[field.path]}
        defaultValue={defaults[field.path] ?? ''}
        error={errorOf(field.path)}
        onChange={(value) => change(field.path, value)}
      />
    ))
  const hasRewards = draft.source !== 'tasks' && (draft.strategy === 'grpo' || draft.strategy === 'rlvr')
  return (
    <section aria-label="Settings">
      <h2 className="text-sm font-semibold">Settings</h2>
      {rows(BASIC)}
      {hasRewards ? (
        <Rewards rewards={draft.rewards ?? plan?.rewards ?? []} isOwn={draft.rewards !== null} onChange={(rewards) => set({ rewards })} />
      ) : null}
      <div className="flex flex-col gap-1 pt-3">
        {GROUPS.map(({ title, fields }) => {
          if (visibleFields(fields).length === 0) return null
          const changedCount = visibleFields(fields).filter(({ path }) => draft.settings[path]).length
          const hasError = visibleFields(fields).some(({ path }) => errorOf(path))
          return (
            <details key={title} className="border-b border-line">
              <summary className="py-2 text-sm">
                {title}
                <span className={cn('pl-2 text-xs', hasError ? 'text-bad' : 'text-second')}>
                  {hasError ? 'has an error' : changedCount > 0 ? `${changedCount} changed` : ''}
                </span>
              </summary>
              <div className="pb-2 pl-4">{rows(fields)}</div>
            </details>
          )
        })}
      </div>
    </section>
  )
}
