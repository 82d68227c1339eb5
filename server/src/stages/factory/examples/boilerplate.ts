const REMINDER = { begin: '<system-reminder>', end: '</system-reminder>' }
/** The client writes these below the report of a sub-agent. */
const AGENT_ID = /\n*^agentId: \S+ \(.*\)$/gm
const USAGE = /\n*^<usage>subagent_tokens: [^<]*<\/usage>$/gm
/** The client writes this above the report, whose lines it then indents. */
const HAND_BACK = /^(?:[ \t]*<tools-used-before-summary>[^<\n]*<\/tools-used-before-summary>\s*)?^\[Subagent hand-back\] [^\n]*\n/m

/** Removes what the client added for its model: reminders, and the frame around the report of a sub-agent. */
export function withoutBoilerplate(text: string): string {
  let result = ''
  let at = 0
  for (let begin = text.indexOf(REMINDER.begin); begin >= 0; begin = text.indexOf(REMINDER.begin, at)) {
    const end = text.indexOf(REMINDER.end, begin)
    if (end < 0) break
    result += isLineStart(text, begin) ? text.slice(at, begin).trimEnd() : text.slice(at, end + REMINDER.end.length)
    at = end + REMINDER.end.length
  }
  return withoutFrame((result + text.slice(at)).replaceAll(USAGE, '').replaceAll(AGENT_ID, ''))
}

function withoutFrame(text: string): string {
  const frame = HAND_BACK.exec(text)
  if (frame === null) return text
  const report = text.slice(frame.index + frame[0].length)
  return text.slice(0, frame.index) + report.replaceAll(/^ {2}/gm, '')
}

/** A tag inside a line is text about reminders, such as source code. */
const isLineStart = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
