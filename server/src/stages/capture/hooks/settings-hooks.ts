/** Finds, adds and removes our entries in the text of a Claude Code settings file, without reading or writing files. */
import { hookFileOf } from './hook-command.ts'
import { appendItem, appendMember, removeChild, contentOf, layoutOf } from './json-edit.ts'
import { JsonTextError, member, parseJsonText, stringOf, type JsonArray, type JsonNode, type JsonObject } from './json-text.ts'

/** Seconds. Must be an integer: the client ignores the whole file otherwise. The script needs only milliseconds. */
const TIMEOUT = 5

export interface SettingsText {
  text: string
  root: JsonObject
  hooks: JsonObject | null
  events: { event: string; groups: JsonArray }[]
}

/** One entry of the file, such as `{"type": "command", …}`. */
export interface Handler {
  event: string
  group: number
  index: number
  handlers: JsonArray
  command: string | null
  node: JsonNode
}

/**
 * A container that was empty or missing (`was: null`) before our first entry. `path` is `[]` for the root, `['hooks']`
 * or `['hooks', 'Stop']`. This record lets a removal restore the original bytes; without it, a removal also removes the
 * containers that it empties.
 */
export interface FilledContainer {
  path: string[]
  was: string | null
  /** Of a variable: what was written there. Another value is the user's. */
  put?: string | undefined
}

const kindOf = ({ kind }: JsonNode) => (kind === 'null' ? kind : `${kind === 'object' || kind === 'array' ? 'an' : 'a'} ${kind}`)

function requireKind<K extends 'object' | 'array'>(text: string, node: JsonNode, kind: K, subject: string): Extract<JsonNode, { kind: K }> {
  if (node.kind !== kind) {
    throw new JsonTextError(text, node.start, `${subject} must be ${kind === 'array' ? 'a list' : 'an object'}, but is ${kindOf(node)}`)
  }
  return node as Extract<JsonNode, { kind: K }>
}

/** Parses the text and checks every structure that an edit relies on. Throws `JsonTextError`. */
export function parseSettings(text: string): SettingsText {
  const root = requireKind(text, parseJsonText(text), 'object', 'the file')
  const value = member(root, 'hooks')?.value
  if (value === undefined) return { text, root, hooks: null, events: [] }
  const hooks = requireKind(text, value, 'object', '"hooks"')
  const events = hooks.members.map(({ key, value: groups }) => ({
    event: key,
    groups: requireKind(text, groups, 'array', `"hooks"."${key}"`),
  }))
  for (const { event, groups } of events) {
    for (const node of groups.items) {
      const group = requireKind(text, node, 'object', `each group of "${event}"`)
      const handlers = member(group, 'hooks')
      if (handlers === undefined) throw new JsonTextError(text, group.start, `a group of "${event}" has no list "hooks"`)
      requireKind(text, handlers.value, 'array', `"hooks" in a group of "${event}"`)
    }
  }
  return { text, root, hooks, events }
}

/** Every handler of the file, in order. */
export function handlersOf(settings: SettingsText): Handler[] {
  return settings.events.flatMap(({ event, groups }) =>
    groups.items.flatMap((node, group) => {
      const handlers = member(node, 'hooks')?.value as JsonArray // checked by parseSettings
      return handlers.items.map((item, index) => ({
        event,
        group,
        index,
        handlers,
        command: stringOf(item, 'type') === 'command' ? stringOf(item, 'command') : null,
        node: item,
      }))
    }),
  )
}

/** Handlers that call a Bash Gym hook script, of any data directory; `file` is that script. */
export const ourHandlers = (settings: SettingsText) =>
  handlersOf(settings).flatMap((handler) => {
    const file = handler.command === null ? null : hookFileOf(handler.command)
    return file === null ? [] : [{ ...handler, file }]
  })

const groupsOf = (settings: SettingsText, event: string) => settings.events.find((candidate) => candidate.event === event)?.groups

export interface InstallPlan {
  text: string
  filled: FilledContainer[]
}

/**
 * Adds our command to each of `events` that does not have it, as its last group, without a matcher if none is given. Removes our
 * entries for other events, which an older or newer client knows. Returns the same text if nothing changes. The
 * parameter `filled` is the record of an earlier install; the result has only additions to it.
 */
export function withHooks(
  text: string,
  {
    command,
    events,
    matcher,
    timeout = TIMEOUT,
    filled: before = [],
  }: { command: string; events: readonly string[]; matcher?: string; timeout?: number; filled?: readonly FilledContainer[] },
): InstallPlan {
  const filled: FilledContainer[] = []
  let settings = parseSettings(text)
  const isStale = (handler: Handler) => handler.command === command && !events.includes(handler.event)
  if (handlersOf(settings).some(isStale)) settings = parseSettings(withoutHandlers(settings.text, isStale, before))
  // The layout is read before our additions, so that it is the user's.
  const layout = layoutOf(settings.text, settings.root)
  const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command, timeout }] }
  const recordIfEmpty = (path: string[], container: JsonObject | JsonArray) => {
    const isEmpty = container.kind === 'object' ? container.members.length === 0 : container.items.length === 0
    if (isEmpty) filled.push({ path, was: contentOf(settings.text, container) })
  }
  for (const event of events) {
    if (handlersOf(settings).some((handler) => handler.event === event && handler.command === command)) continue
    const groups = groupsOf(settings, event)
    let nextText: string
    if (groups !== undefined) {
      recordIfEmpty(['hooks', event], groups)
      nextText = appendItem(settings.text, groups, group, 2, layout)
    } else if (settings.hooks !== null) {
      recordIfEmpty(['hooks'], settings.hooks)
      filled.push({ path: ['hooks', event], was: null })
      nextText = appendMember(settings.text, settings.hooks, event, [group], 1, layout)
    } else {
      recordIfEmpty([], settings.root)
      filled.push({ path: ['hooks'], was: null }, { path: ['hooks', event], was: null })
      nextText = appendMember(settings.text, settings.root, 'hooks', { [event]: [group] }, 0, layout)
    }
    settings = parseSettings(nextText)
  }
  return { text: settings.text, filled }
}

/** Removes every handler with our command, and containers that become empty unless they were empty before. */
export const withoutHooks = (text: string, command: string, filled: readonly FilledContainer[]) =>
  withoutHandlers(text, (handler) => handler.command === command, filled)

function withoutHandlers(start: string, isRemoved: (handler: Handler) => boolean, filled: readonly FilledContainer[]): string {
  const originalContent = (...path: string[]) => filled.find((candidate) => candidate.path.join('\0') === path.join('\0'))?.was ?? null
  let text = start
  // Removes one handler at a time, because each removal changes the positions of the others.
  for (;;) {
    const settings = parseSettings(text)
    const handler = handlersOf(settings).find(isRemoved)
    if (handler === undefined) return text
    const { event, group, index, handlers } = handler
    const { root, hooks } = settings
    const groups = groupsOf(settings, event)
    if (hooks === null || groups === undefined) return text
    const originalGroups = originalContent('hooks', event)
    const originalHooks = originalContent('hooks')
    if (handlers.items.length > 1) text = removeChild(text, handlers, index, '')
    else if (groups.items.length > 1 || originalGroups !== null) text = removeChild(text, groups, group, originalGroups ?? '')
    else if (hooks.members.length > 1 || originalHooks !== null) text = removeChild(text, hooks, indexOf(hooks, event), originalHooks ?? '')
    else text = removeChild(text, root, indexOf(root, 'hooks'), originalContent() ?? '')
  }
}

const indexOf = (object: JsonObject, key: string) => object.members.findIndex((candidate) => candidate.key === key)
