/** What a fence that spans the whole text encloses; otherwise the text. Both without blanks at their ends. */
export function withoutFence(text: string): string {
  const whole = text.trim()
  const start = whole.indexOf('\n')
  const isFenced = start >= 0 && ['```', '```json'].includes(whole.slice(0, start).trimEnd()) && whole.endsWith('\n```')
  return isFenced ? whole.slice(start + 1, -4).trim() : whole
}
