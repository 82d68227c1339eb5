/**
 * Which hook events a version of Claude Code knows (observed with the real clients). Up to 2.1.100 one unknown name
 * switches off every hook of the file, the user's own too, so only what the installed version knows is registered.
 */
interface ClientEvent {
  event: string
  /** First observed version that accepts the name. */
  since: string
}

/** The registered events: each signals new bytes in the transcript, or carries a fact that it lacks. */
export const REGISTERED_EVENTS: readonly ClientEvent[] = [
  { event: 'SessionStart', since: '1.0.85' },
  { event: 'UserPromptSubmit', since: '1.0.85' },
  { event: 'PostToolUse', since: '1.0.85' },
  { event: 'Notification', since: '1.0.85' },
  { event: 'Stop', since: '1.0.85' },
  { event: 'SubagentStop', since: '1.0.85' },
  { event: 'PreCompact', since: '1.0.85' },
  { event: 'SessionEnd', since: '1.0.85' },
  { event: 'PostToolUseFailure', since: '2.0.76' },
  { event: 'SubagentStart', since: '2.0.76' },
  { event: 'StopFailure', since: '2.1.100' },
  { event: 'PostToolBatch', since: '2.1.101' },
]

/** Known to the client but not registered, with the reason shown in Settings. */
export const LEFT_OUT_EVENTS: readonly { event: string; why: string }[] = [
  { event: 'PreToolUse', why: 'would delay every tool call; the transcript already has the start time' },
  { event: 'MessageDisplay', why: 'would delay every message; the transcript already has the text' },
  { event: 'WorktreeCreate', why: 'a hook here would replace `git worktree add`' },
]

/** Events of clients up to 2.1.100 beyond those above: any other name disables the hooks of such a client. */
const OLDER_EVENTS: readonly ClientEvent[] = [
  { event: 'PreToolUse', since: '1.0.85' },
  { event: 'PermissionRequest', since: '2.0.76' },
  ...['Setup', 'TeammateIdle', 'TaskCompleted', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove'].map((event) => ({
    event,
    since: '2.1.50',
  })),
  ...[
    'PostCompact',
    'PermissionDenied',
    'TaskCreated',
    'Elicitation',
    'ElicitationResult',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
  ].map((event) => ({ event, since: '2.1.100' })),
]

/** The version whose events are registered if the client's version is unknown. */
export const FALLBACK_VERSION = '1.0.128'
/** From this version on unknown names are skipped. */
const FORGIVING_SINCE = '2.1.101'

export function isAtLeast(version: string, wanted: string): boolean {
  const parts = (text: string) => text.split('.').map(Number)
  const [a, b] = [parts(version), parts(wanted)]
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** What to register for a client, null: version unknown. */
export function eventsFor(version: string | null): string[] {
  return REGISTERED_EVENTS.filter(({ since }) => isAtLeast(version ?? FALLBACK_VERSION, since)).map(({ event }) => event)
}

/** Whether this name in the settings makes this client ignore every hook of the file. */
export function breaksClient(event: string, version: string | null): boolean {
  if (version === null || isAtLeast(version, FORGIVING_SINCE)) return false
  return ![...REGISTERED_EVENTS, ...OLDER_EVENTS].some((known) => known.event === event && isAtLeast(version, known.since))
}
