/** Our entries in the text of a Claude Code settings file: found, added, taken out. Pure: text in, text out. */
import { hookFileOf } from './hook-command.ts'
import { appendItem, appendMember, cut, inside, layoutOf } from './json-edit.ts'
import { JsonTextError, member, parseJsonText, stringOf, type JsonArray, type JsonNode, type JsonObject } from './json-text.ts'

/** Seconds; an integer, since any other timeout makes the client ignore the whole file. The script takes milliseconds. */
const TIMEOUT = 5

export interface SettingsText {
  text: string
  root: JsonObject
  hooks: JsonObject | null
  events: { event: string; groups: JsonArray }[]
}

/** One `{"type": "command", …}` of the file. */
export interface Handler {
  event: string
  group: number
  index: number
  handlers: JsonArray
  command: string | null
  node: JsonNode
}

/**
 * A container that was empty or missing (`was: null`) before our first entry, by its path: `[]` is the
 * root, `['hooks']`, `['hooks', 'Stop']`. With it a removal restores the original bytes; without it, containers that our removal
 * leaves empty are removed too.
 */
export interface Filled {
  path: string[]
  was: string | null
}

const kindOf = ({ kind }: JsonNode) => (kind === 'null' ? kind : `${kind === 'object' || kind === 'array' ? 'an' : 'a'} ${kind}`)

function expect<K extends 'object' | 'array'>(text: string, node: JsonNode, kind: K, what: string): Extract<JsonNode, { kind: K }> {
  if (node.kind !== kind) {
    throw new JsonTextError(text, node.start, `${what} must be ${kind === 'array' ? 'a list' : 'an object'}, but is ${kindOf(node)}`)
  }
  return node as Extract<JsonNode, { kind: K }>
}

/** Parses the text and checks every structure that an edit relies on. Throws `JsonTextError`. */
export function parseSettings(text: string): SettingsText {
  const root = expect(text, parseJsonText(text), 'object', 'the file')
  const value = member(root, 'hooks')?.value
  if (value === undefined) return { text, root, hooks: null, events: [] }
  const hooks = expect(text, value, 'object', '"hooks"')
  const events = hooks.members.map(({ key, value: groups }) => ({ event: key, groups: expect(text, groups, 'array', `"hooks"."${key}"`) }))
  for (const { event, groups } of events) {
    for (const node of groups.items) {
      const group = expect(text, node, 'object', `each group of "${event}"`)
      const handlers = member(group, 'hooks')
      if (handlers === undefined) throw new JsonTextError(text, group.start, `a group of "${event}" has no list "hooks"`)
      expect(text, handlers.value, 'array', `"hooks" in a group of "${event}"`)
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

/** Handlers that call a Bash Gym of any data directory, with the script each of them calls. */
export const ourHandlers = (settings: SettingsText) =>
  handlersOf(settings).flatMap((handler) => {
    const file = handler.command === null ? null : hookFileOf(handler.command)
    return file === null ? [] : [{ ...handler, file }]
  })

const groupsOf = (settings: SettingsText, event: string) => settings.events.find((candidate) => candidate.event === event)?.groups

export interface InstallPlan {
  text: string
  filled: Filled[]
}

/**
 * Adds a group without a matcher for each of `events` without our command, as the last of its event; entries of
 * ours for other events (of an older or newer client) are removed. Returns the same text if nothing changes. `filled`: what an earlier
 * install recorded; the result includes additions.
 */
export function withHooks(
  text: string,
  { command, events, filled: before = [] }: { command: string; events: readonly string[]; filled?: readonly Filled[] },
): InstallPlan {
  const filled: Filled[] = []
  let settings = parseSettings(text)
  const stale = (handler: Handler) => handler.command === command && !events.includes(handler.event)
  if (handlersOf(settings).some(stale)) settings = parseSettings(withoutHandlers(settings.text, stale, before))
  // The layout is read once, so that it is the file's own and not that of our additions.
  const layout = layoutOf(settings.text, settings.root)
  const group = { hooks: [{ type: 'command', command, timeout: TIMEOUT }] }
  const note = (path: string[], container: JsonObject | JsonArray) => {
    const isEmpty = container.kind === 'object' ? container.members.length === 0 : container.items.length === 0
    if (isEmpty) filled.push({ path, was: inside(settings.text, container) })
  }
  for (const event of events) {
    if (handlersOf(settings).some((handler) => handler.event === event && handler.command === command)) continue
    const groups = groupsOf(settings, event)
    let next: string
    if (groups !== undefined) {
      note(['hooks', event], groups)
      next = appendItem(settings.text, groups, group, 2, layout)
    } else if (settings.hooks !== null) {
      note(['hooks'], settings.hooks)
      filled.push({ path: ['hooks', event], was: null })
      next = appendMember(settings.text, settings.hooks, event, [group], 1, layout)
    } else {
      note([], settings.root)
      filled.push({ path: ['hooks'], was: null }, { path: ['hooks', event], was: null })
      next = appendMember(settings.text, settings.root, 'hooks', { [event]: [group] }, 0, layout)
    }
    settings = parseSettings(next)
  }
  return { text: settings.text, filled }
}

/** Takes out every handler that has our command, and containers left empty, unless they were empty before. */
export const withoutHooks = (text: string, command: string, filled: readonly Filled[]) =>
  withoutHandlers(text, (handler) => handler.command === command, filled)

function withoutHandlers(start: string, isGone: (handler: Handler) => boolean, filled: readonly Filled[]): string {
  const was = (...path: string[]) => filled.find((candidate) => candidate.path.join('\0') === path.join('\0'))?.was ?? null
  let text = start
  // One at a time, searching the current text each time, so that positions are never stale.
  for (;;) {
    const settings = parseSettings(text)
    const handler = handlersOf(settings).find(isGone)
    if (handler === undefined) return text
    const { event, group, index, handlers } = handler
    const { root, hooks } = settings
    const groups = groupsOf(settings, event)
    if (hooks === null || groups === undefined) return text
    const groupsWere = was('hooks', event)
    const hooksWere = was('hooks')
    if (handlers.items.length > 1) text = cut(text, handlers, index, '')
    else if (groups.items.length > 1 || groupsWere !== null) text = cut(text, groups, group, groupsWere ?? '')
    else if (hooks.members.length > 1 || hooksWere !== null) text = cut(text, hooks, indexOf(hooks, event), hooksWere ?? '')
    else text = cut(text, root, indexOf(root, 'hooks'), was() ?? '')
  }
}

const indexOf = (object: JsonObject, key: string) => object.members.findIndex((candidate) => candidate.key === key)
