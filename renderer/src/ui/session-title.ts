/** Shown for a session without a title. */
export const untitled = (trace: { hooksOnly: boolean; state: string }): string =>
  trace.hooksOnly ? `Hooks only, no transcript${trace.state === 'live' ? ' yet' : ''}` : 'Session without a prompt'
