/** The status of our hooks: the state of each event, and every reason why hooks may not run. */
import type { HooksReport } from '#contracts/entities/capture.ts'
import { AppError } from '#contracts/errors.ts'
import { breaksClient, FALLBACK_VERSION, isAtLeast, UNREGISTERED_EVENTS, REGISTERED_EVENTS } from './client-events.ts'
import { scriptState } from './hook-script.ts'
import { decodeUtf8, JsonTextError, lineAt, member } from './json-text.ts'
import { managedFoldersOf, offSwitches, type Problem } from './off-switches.ts'
import { readSettingsFile } from './settings-file.ts'
import { handlersOf, ourHandlers, parseSettings, type SettingsText } from './settings-hooks.ts'

export interface StatusInput {
  dataDir: string
  hookSource: string
  settingsFile: string
  command: string
  version: string | null
  platform: NodeJS.Platform
  managedFolders?: readonly string[]
}

const registeredEvents = (settings: SettingsText, command: string): ReadonlySet<string> =>
  new Set(ourHandlers(settings).flatMap((handler) => (handler.command === command ? [handler.event] : [])))

const hasBaseEvents = (registered: ReadonlySet<string>) =>
  REGISTERED_EVENTS.every(({ event, since }) => registered.has(event) || !isAtLeast(FALLBACK_VERSION, since))

type Status = Pick<HooksReport, 'installed' | 'events' | 'clientVersion' | 'problems'>

/** Whether our entry exists for every event that all supported versions of Claude Code have. Reads only the settings and does not start the client. */
export function isInstalled({ settingsFile, command }: Pick<StatusInput, 'settingsFile' | 'command'>): boolean {
  const { settings } = settingsOf(settingsFile)
  return settings !== null && hasBaseEvents(registeredEvents(settings, command))
}

/** `installed`: our entry exists for every event that all supported versions of Claude Code have. Other missing events are problems. */
export function reportOf(input: StatusInput): Status {
  const { command, version, platform, settingsFile } = input
  const parsed = settingsOf(settingsFile)
  const ours = parsed.settings === null ? [] : ourHandlers(parsed.settings)
  const registered = parsed.settings === null ? new Set<string>() : registeredEvents(parsed.settings, command)
  const events = eventStates(registered, version)
  const problems: Problem[] = [...parsed.problems]

  if (platform === 'win32')
    problems.push({
      kind: 'hooks_unsupported',
      message: 'Hooks have not been tested on Windows yet; sessions are imported from their transcripts.',
    })
  if (version === null) {
    problems.push({
      kind: 'client_unknown',
      message:
        "Couldn't find Claude Code or read its version, so only the hooks every version supports will be installed. Set CLAUDE_BIN to the path of the `claude` program.",
    })
  }
  if (registered.size > 0) problems.push(...scriptProblems(input), ...eventProblems(events, registered, version, settingsFile))
  for (const file of new Set(ours.filter((handler) => handler.command !== command).map((handler) => handler.file))) {
    problems.push({
      kind: 'other_home',
      message: `${settingsFile} also has hooks of another data directory (${file}). To remove them, run \`bashgym hooks uninstall\` with BASHGYM_HOME set to that directory.`,
    })
  }
  if (parsed.settings !== null) problems.push(...clientProblems(parsed.settings, settingsFile, version))
  problems.push(...offSwitches({ settingsFile, managedFolders: input.managedFolders ?? managedFoldersOf(platform) }))
  return { installed: hasBaseEvents(registered), events, clientVersion: version, problems }
}

function settingsOf(settingsFile: string): { settings: SettingsText | null; problems: Problem[] } {
  try {
    const { bytes } = readSettingsFile(settingsFile)
    return { settings: bytes === null ? null : parseSettings(decodeUtf8(bytes)), problems: [] }
  } catch (cause) {
    if (cause instanceof JsonTextError) {
      return {
        settings: null,
        problems: [{ kind: 'client_settings_invalid', message: `${settingsFile}, ${cause.message}. Claude Code may ignore its hooks.` }],
      }
    }
    if (cause instanceof AppError) return { settings: null, problems: [{ kind: cause.code, message: cause.message }] }
    throw cause
  }
}

function eventStates(registered: ReadonlySet<string>, version: string | null): HooksReport['events'] {
  const effectiveVersion = version ?? FALLBACK_VERSION
  const registrable = REGISTERED_EVENTS.map(({ event, since }): HooksReport['events'][number] => {
    if (registered.has(event)) return { event, state: 'installed', why: null }
    if (isAtLeast(effectiveVersion, since)) return { event, state: 'missing', why: 'not in the settings file' }
    const client = version === null ? `Claude Code version unknown` : `not supported by Claude Code ${version}`
    return { event, state: 'unsupported', why: `needs Claude Code ${since}; ${client}` }
  })
  return [
    ...registrable,
    ...UNREGISTERED_EVENTS.map(({ event, why }): HooksReport['events'][number] => ({ event, state: 'not-registered', why })),
  ]
}

function scriptProblems({ dataDir, hookSource }: StatusInput): Problem[] {
  const state = scriptState({ dataDir, hookSource })
  if (state === 'installed') return []
  const what = { missing: 'is missing', 'not-executable': 'is not executable', differs: 'is from another version' }[state]
  const effect = state === 'differs' ? '' : " The hooks don't work."
  return [{ kind: `script_${state.replace('-', '_')}`, message: `${dataDir}/hook ${what}.${effect} Install the hooks again to fix it.` }]
}

function eventProblems(
  events: HooksReport['events'],
  registered: ReadonlySet<string>,
  version: string | null,
  settingsFile: string,
): Problem[] {
  const missing = events.filter(({ state }) => state === 'missing').map(({ event }) => event)
  const tooNew = version === null ? [] : [...registered].filter((event) => breaksClient(event, version))
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            kind: 'events_missing',
            message: `Hooks missing for ${missing.join(', ')}, which Claude Code${version === null ? '' : ` ${version}`} supports. Install the hooks again to add them.`,
          },
        ]),
    ...(tooNew.length === 0
      ? []
      : [
          {
            kind: 'events_unknown',
            message: `Claude Code ${version} does not support ${tooNew.join(', ')}, so it ignores every hook in ${settingsFile}. Install the hooks again to remove these events.`,
          },
        ]),
  ]
}

/** Valid JSON that makes this client ignore every hook in the file (observed up to 2.1.329). */
function clientProblems(settings: SettingsText, settingsFile: string, version: string | null): Problem[] {
  const registrable = new Set(REGISTERED_EVENTS.map(({ event }) => event))
  const unknown = settings.events.filter(({ event }) => !registrable.has(event) && breaksClient(event, version))
  const timeouts = handlersOf(settings).flatMap(({ node }) => {
    const timeout = member(node, 'timeout')
    if (timeout === undefined) return []
    const isPositive = timeout.value.kind === 'number' && Number(settings.text.slice(timeout.value.start, timeout.value.end)) > 0
    return isPositive ? [] : [timeout]
  })
  return [
    ...unknown.map(({ event, groups }) => ({
      kind: 'events_unknown',
      message: `${settingsFile}, line ${lineAt(settings.text, groups.start)}: Claude Code ${version} does not support the event "${event}", so it ignores every hook in this file.`,
    })),
    ...timeouts.map(({ start }) => ({
      kind: 'handler_malformed',
      message: `${settingsFile}, line ${lineAt(settings.text, start)}: the timeout is not a positive number, so Claude Code may ignore every hook in this file.`,
    })),
  ]
}
