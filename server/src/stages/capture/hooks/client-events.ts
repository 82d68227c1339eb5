/**
 * The hook events that each version of Claude Code knows (observed with the real clients). Up to 2.1.100 one unknown name
 * disables all hooks in the file, including the user's, so only events that the installed version knows are registered.
 */
interface ClientEvent {
  event: string
  /** First observed version that accepts the name. */
  since: string
}

/** Each of these events signals new bytes in the transcript, or has a fact that the transcript lacks. */
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

/** Events that are never registered, with the reason shown in Settings. */
export const UNREGISTERED_EVENTS: readonly { event: string; why: string }[] = [
  { event: 'PreToolUse', why: 'would delay every tool call; the transcript already has the start time' },
  { event: 'MessageDisplay', why: 'would delay every message; the transcript already has the text' },
  { event: 'WorktreeCreate', why: 'a hook here would replace `git worktree add`' },
]

/** Further events that clients up to 2.1.100 know: any other name disables the hooks of such a client. */
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
const SKIPS_UNKNOWN_SINCE = '2.1.101'

export function isAtLeast(version: string, minimum: string): boolean {
  const parts = (text: string) => text.split('.').map(Number)
  const [a, b] = [parts(version), parts(minimum)]
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/** The events to register for a client; null if its version is unknown. */
export function eventsFor(version: string | null): string[] {
  return REGISTERED_EVENTS.filter(({ since }) => isAtLeast(version ?? FALLBACK_VERSION, since)).map(({ event }) => event)
}

/** Whether an event with this name makes this client ignore every hook in the file. */
export function breaksClient(event: string, version: string | null): boolean {
  if (version === null || isAtLeast(version, SKIPS_UNKNOWN_SINCE)) return false
  return ![...REGISTERED_EVENTS, ...OLDER_EVENTS].some((listed) => listed.event === event && isAtLeast(version, listed.since))
}
