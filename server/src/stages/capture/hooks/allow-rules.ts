/** Rules of a Claude Code settings file that allow commands: added and taken out of its text, without reading or writing files. */
import { appendItem, appendMember, layoutOf, removeChild } from './json-edit.ts'
import { JsonTextError, type JsonArray, type JsonObject, member } from './json-text.ts'
import { parseSettings } from './settings-hooks.ts'

type List = 'allow' | 'ask' | 'deny'

/** Throws `JsonTextError` where the text has another form. */
function listsIn(text: string): { root: JsonObject; permissions: JsonObject | null; of: (list: List) => JsonArray | null } {
  const { root } = parseSettings(text)
  const permissions = member(root, 'permissions')?.value ?? null
  if (permissions !== null && permissions.kind !== 'object')
    throw new JsonTextError(text, permissions.start, '"permissions" must be an object')
  const of = (list: List) => {
    const value = permissions === null ? undefined : member(permissions, list)?.value
    if (value !== undefined && value.kind !== 'array') throw new JsonTextError(text, value.start, `"permissions"."${list}" must be a list`)
    return value ?? null
  }
  return { root, permissions, of }
}

const textsOf = (list: JsonArray | null): string[] =>
  (list?.items ?? []).flatMap((item) => (item.kind === 'string' && typeof item.value === 'string' ? item.value : []))

export function permissionRules(text: string): Record<List, string[]> {
  const { of } = listsIn(text)
  return { allow: textsOf(of('allow')), ask: textsOf(of('ask')), deny: textsOf(of('deny')) }
}

/** With those of the rules that it lacks. */
export function withAllowed(text: string, rules: readonly string[]): string {
  const known = new Set(permissionRules(text).allow)
  return rules.filter((rule) => !known.has(rule)).reduce(withRule, text)
}

function withRule(text: string, rule: string): string {
  const { root, permissions, of } = listsIn(text)
  const layout = layoutOf(text, root)
  const allow = of('allow')
  if (permissions === null) return appendMember(text, root, 'permissions', { allow: [rule] }, 0, layout)
  if (allow === null) return appendMember(text, permissions, 'allow', [rule], 1, layout)
  return appendItem(text, allow, rule, 2, layout)
}

/** Without these rules; lists that become empty stay. */
export function withoutAllowed(text: string, rules: readonly string[]): string {
  const allow = listsIn(text).of('allow')
  if (allow === null) return text
  const index = allow.items.findIndex((item) => item.kind === 'string' && rules.includes(String(item.value)))
  return index === -1 ? text : withoutAllowed(removeChild(text, allow, index, ''), rules)
}
