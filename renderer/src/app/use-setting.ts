import type { Settings, SettingsPatch } from '#contracts/entities/settings.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { usePatchSettings, useSettings } from '#renderer/api/settings.ts'
import { toast } from '#renderer/ui/toast.tsx'

/** The settings as they are, and how to change them: saved at once, with the former value one click away. */
export function useChange(): {
  settings: Settings
  offline: string | null
  busy: boolean
  change: (what: string, patch: SettingsPatch, back: SettingsPatch) => void
} {
  const { data } = useSettings()
  const patch = usePatchSettings()
  const offline = useOfflineReason()
  if (!data) throw new Error('A section of Settings was drawn before the settings were read.')
  return {
    settings: data.settings,
    offline,
    busy: patch.isPending,
    change: (what, next, back) => patch.mutate(next, { onSuccess: () => toast.undo(`${what} saved`, () => patch.mutate(back)) }),
  }
}
