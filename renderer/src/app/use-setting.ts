import type { Settings, SettingsPatch } from '#contracts/entities/settings.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { usePatchSettings, useSettings } from '#renderer/api/settings.ts'
import { toast } from '#renderer/ui/toast.tsx'

/** The current settings and a function that changes them: it saves at once and offers to undo. */
export function useChange(): {
  settings: Settings
  offline: string | null
  busy: boolean
  change: (what: string, patch: SettingsPatch) => void
} {
  const { data } = useSettings()
  const patch = usePatchSettings()
  const offline = useOfflineReason()
  if (!data) throw new Error('A section of Settings was drawn before the settings were read.')
  return {
    settings: data.settings,
    offline,
    busy: patch.isPending,
    change: (what, next) => {
      const previous = currentOf(data.settings, next)
      patch.mutate(next, { onSuccess: () => toast.undo(`${what} saved`, () => patch.mutate(previous)) })
    },
  }
}

/** The current values of the settings that a patch changes. */
function currentOf(settings: Settings, patch: SettingsPatch): SettingsPatch {
  const groups = Object.entries(patch).map(([group, part]) => {
    const now = settings[group as keyof Settings] // a patch has the groups and names of the settings
    return [group, Array.isArray(now) ? now : Object.fromEntries(Object.keys(part).map((name) => [name, now[name as keyof typeof now]]))]
  })
  return Object.fromEntries(groups) as SettingsPatch
}
