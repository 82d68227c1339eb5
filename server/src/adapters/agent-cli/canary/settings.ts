import fs from 'node:fs'
import { z } from 'zod'

const KEPT = ['enabledPlugins', 'extraKnownMarketplaces', 'pluginConfigs', 'disableAllHooks'] as const
const KEPT_HOOKS = ['PreToolUse', 'PermissionRequest']
const KEPT_ENV = ['CLAUDE_CODE_PLUGIN_DIRS', 'CLAUDE_CODE_ENABLE_FUNCTION_HOOKS', 'CLAUDE_CODE_SIMPLE']
const Settings = z.looseObject({ env: z.record(z.string(), z.unknown()).catch({}), hooks: z.record(z.string(), z.unknown()).catch({}) })

/** The settings that decide which plugins and hooks take part in a decision. Throws if the file cannot be read. */
export function decidingSettings(file: string): object {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '{}'
  const settings = Settings.parse(JSON.parse(text))
  const chosen = (from: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
  return { ...chosen(settings, KEPT), hooks: chosen(settings.hooks, KEPT_HOOKS), env: chosen(settings.env, KEPT_ENV) }
}
