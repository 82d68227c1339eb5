/** What stands for a session that has no title of its own. */
export const untitled = (trace: { hooksOnly: boolean; state: string }): string =>
  trace.hooksOnly ? `Hooks only, no transcript${trace.state === 'live' ? ' yet' : ''}` : 'Session without a prompt'
