/** Whether Claude Code takes a file of a project as its own settings, hooks, servers or rules. It asks before each change of one. */
export const isClientSetting = (path: string): boolean => /(?:^|\/)(?:\.claude\/|\.mcp\.json$)/i.test(path)

/** Of those in a git patch. */
export const clientSettingsIn = (patch: string): string[] => [
  ...new Set([...patch.matchAll(/^diff --git .* "?b\/(.*?)"?$/gm)].flatMap(([, path = '']) => (isClientSetting(path) ? path : []))),
]
