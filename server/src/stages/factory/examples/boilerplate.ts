const REMINDER = { begin: '<system-reminder>', end: '</system-reminder>' }
/** What the client writes below the report of a sub-agent. */
const AGENT_ID = /\n*^agentId: \S+ \(.*\)$/gm

/** A text without what the client added to it for its own model: reminders, and the ids of sub-agents. */
export function withoutBoilerplate(text: string): string {
  let kept = ''
  let at = 0
  for (let begin = text.indexOf(REMINDER.begin); begin >= 0; begin = text.indexOf(REMINDER.begin, at)) {
    const end = text.indexOf(REMINDER.end, begin)
    if (end < 0) break
    kept += isLineStart(text, begin) ? text.slice(at, begin).trimEnd() : text.slice(at, end + REMINDER.end.length)
    at = end + REMINDER.end.length
  }
  return (kept + text.slice(at)).replaceAll(AGENT_ID, '')
}

/** In the middle of a line it is text about reminders, such as a source file. */
const isLineStart = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
